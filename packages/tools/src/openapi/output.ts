import type { JsonSchema } from '@parley/mcp'

import { objectOf, type Operation } from './operations.ts'
import { follow } from './pointers.ts'
import type { OpenApiDocument } from './read-document.ts'
import { isJsonType, typeOf } from './request-body.ts'
import type { SchemaDefinitions } from './schema-definitions.ts'

/**
 * The schema of a tool's answers: the status, and the body as the document describes it for success. The body may be
 * missing, because not every API keeps to its document; then the text has it alone.
 */
export function outputSchemaOf(
  { root }: OpenApiDocument,
  { responses }: Operation,
  definitions: SchemaDefinitions,
  maxBytes: number,
): JsonSchema | undefined {
  const successes = Object.keys(responses).filter((status) => /^2(?:\d\d|XX)$/i.test(status))
  const bodies: unknown[] = []
  for (const status of successes) {
    const content = objectOf(follow(root, responses[status])?.['content'])
    const [, media] = Object.entries(content).find(([type]) => isJsonType(typeOf(type))) ?? []
    const { schema } = objectOf(media)
    if (schema !== undefined) bodies.push(schema)
  }
  if (bodies.length === 0) return undefined
  const converted = bodies.map((body) => definitions.convert(body, 'output'))
  const distinct = [...new Map(converted.map((body) => [JSON.stringify(body), body])).values()]
  const schema = {
    type: 'object',
    properties: {
      status: { type: 'integer' },
      body: distinct.length === 1 ? distinct[0] : { anyOf: distinct },
      next: { type: 'object', description: 'Arguments for the next page' },
    },
    required: ['status'],
  }
  const $defs = definitions.definitionsFor(schema, 'output', maxBytes)
  return Object.keys($defs).length > 0 ? { ...schema, $defs } : schema
}
