import type { JsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { resolveReference } from './schema-references.ts'

/** Keywords with schemas that apply to the same object as the schema they stand in. */
const alsoApplied = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'] as const
const maxSteps = 1_000

/**
 * The keyword of the root through which another schema speaks about an argument too, such as `allOf`; undefined if only
 * `properties` and `required` do. Such an argument cannot be hidden or renamed without changing what the schema means.
 */
export function mentionOf(root: JsonSchema, argument: string): string | undefined {
  for (const keyword of alsoApplied) {
    if (speaksOf(root[keyword], argument, root)) return keyword
  }
  for (const keyword of ['dependentSchemas', 'dependencies'] as const) {
    const schemas = root[keyword]
    if (!isJsonObject(schemas)) continue
    for (const [name, schema] of Object.entries(schemas)) {
      if (Array.isArray(schema)) continue // required arguments, which are edited
      if (name === argument || speaksOf(schema, argument, root)) return keyword
    }
  }
  return undefined
}

function speaksOf(part: unknown, argument: string, root: JsonSchema): boolean {
  const seen = new Set<unknown>()
  return visit(part)

  function visit(schema: unknown): boolean {
    if (Array.isArray(schema)) return schema.some(visit)
    if (!isJsonObject(schema) || seen.has(schema)) return false
    seen.add(schema)
    if (seen.size > maxSteps) return true // nobody can say
    const { properties, required, $ref, dependentRequired, dependentSchemas, dependencies } = schema
    if (isJsonObject(properties) && Object.hasOwn(properties, argument)) return true
    if (Array.isArray(required) && required.includes(argument)) return true
    if ('patternProperties' in schema || 'propertyNames' in schema) return true
    if ('additionalProperties' in schema || 'unevaluatedProperties' in schema) return true
    if (typeof $ref === 'string' && visit(resolveReference(root, $ref))) return true
    for (const map of [dependentRequired, dependentSchemas, dependencies]) {
      if (isJsonObject(map) && JSON.stringify(map).includes(JSON.stringify(argument))) return true
    }
    return alsoApplied.some((keyword) => visit(schema[keyword]))
  }
}
