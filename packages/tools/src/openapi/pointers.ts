import type { JsonObject } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { resolveReference } from '../transform/schema-references.ts'
import { OpenApiError } from './openapi-error.ts'

const maxSteps = 32

/** An object of the document, or what its `$ref` leads to. */
export function follow(root: JsonObject, value: unknown): JsonObject | undefined {
  let found = value
  for (let steps = 0; steps < maxSteps; steps++) {
    if (!isJsonObject(found)) return undefined
    const { $ref } = found
    if (typeof $ref !== 'string') return found
    found = pointedAt(root, $ref)
  }
  throw new OpenApiError('a $ref leads to itself')
}

/** What a reference inside the document leads to. Nothing is ever fetched. */
export function pointedAt(root: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#')) {
    throw new OpenApiError(
      `${JSON.stringify(reference)} is in another file: bundle the document first, for example with redocly bundle`,
    )
  }
  const found = resolveReference(root, reference)
  if (found === undefined) throw new OpenApiError(`${JSON.stringify(reference)} leads nowhere`)
  return found
}
