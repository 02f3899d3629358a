import type { JsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** Keywords whose values are data, not schemas. */
const dataKeywords = new Set(['const', 'enum', 'default', 'examples', 'example'])

/** The schema with every `$ref` in it changed; parts without one stay the same objects. */
export function mapReferences(
  schema: JsonSchema,
  change: (reference: string) => string,
): JsonSchema {
  return mapped(schema, false) as JsonSchema // an object stays one

  function mapped(part: unknown, isMapOfSchemas: boolean): unknown {
    if (Array.isArray(part))
      return keep(
        part,
        part.map((item: unknown) => mapped(item, false)),
      )
    if (!isJsonObject(part)) return part
    const entries = Object.entries(part).map(([key, value]): [string, unknown] => {
      if (isMapOfSchemas) return [key, mapped(value, false)]
      if (key === '$ref' && typeof value === 'string') return [key, change(value)]
      return dataKeywords.has(key) ? [key, value] : [key, mapped(value, namesSchemas.has(key))]
    })
    const isSame = entries.every(([key, value]) => part[key] === value)
    return isSame ? part : Object.fromEntries(entries)
  }
}

/** Keywords below which names are the author's own: a property called `$ref` is no reference. */
const namesSchemas = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

function keep(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return before.every((item, at) => item === after[at]) ? before : after
}

/** Returns the target of a reference inside the document. */
export function resolveReference(root: JsonSchema, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = decodeStep(step)
    if (Array.isArray(found)) found = found[Number(name)]
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}

/** The name that a step of a JSON Pointer in a fragment means. */
export function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step // not percent-encoded after all
  }
}

/** A name as a step of a JSON Pointer in a fragment. */
export function encodeStep(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))
}

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
