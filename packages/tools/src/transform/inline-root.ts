import type { JsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { resolveReference } from './schema-references.ts'
import { TransformError } from './transform-error.ts'

const maxSteps = 16

/** A schema whose root is a reference, as some generators write it, with what it refers to in its place. */
export function inlineRoot(tool: string, schema: JsonSchema, steps = 0): JsonSchema {
  const { $ref, ...own } = schema
  if (typeof $ref !== 'string') return schema
  const target = resolveReference(schema, $ref)
  if (!isJsonObject(target) || steps > maxSteps) {
    throw new TransformError(
      tool,
      undefined,
      `its inputSchema is a reference to ${$ref}, which cannot be followed`,
    )
  }
  const clash = Object.keys(target).find((keyword) => {
    return keyword in own && JSON.stringify(own[keyword]) !== JSON.stringify(target[keyword])
  })
  if (clash !== undefined) {
    const why = `its inputSchema has "${clash}" both beside $ref and behind it, which cannot be edited`
    throw new TransformError(tool, undefined, why)
  }
  return inlineRoot(tool, { ...target, ...own }, steps + 1)
}
