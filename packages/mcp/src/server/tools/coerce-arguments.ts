/**
 * Replaces text in arguments where the schema allows no text: numbers, `true`, `false`, `null`, and lists and objects written as JSON. Some
 * models send these as strings.
 *
 * Only for values that have one reading and lose nothing; `call-tool.ts` then checks the result against the schema like any other arguments.
 */

import { parseJson } from '../../rpc/json/json-limits.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../schema/json.ts'
import type { JsonSchema } from '../../schema/standard-schema.ts'

/** One argument that was text and became what its schema asks for. */
export interface CoercedArgument {
  /** From the arguments to the value: names, and indices of lists. */
  readonly path: readonly (string | number)[]
  /** The text that the caller sent. */
  readonly from: string
  /** The value that the handler gets. */
  readonly to: JsonValue
}

/** The coerced arguments, by the result of the call; for middleware. */
export const coercedArguments = new WeakMap<object, readonly CoercedArgument[]>()

/**
 * Arguments in which text is replaced where the schema allows no text: numbers, `true` and `false`, `null`, and objects
 * and lists written as JSON. Undefined if there is nothing to replace. Text that could mean two things is left alone.
 */
export function coerceArguments(
  args: JsonObject,
  schema: JsonSchema,
): { readonly args: JsonObject; readonly changes: readonly CoercedArgument[] } | undefined {
  const changes: CoercedArgument[] = []
  const coerced = coerceValue(args, schema, [])
  return changes.length === 0 ? undefined : { args: coerced as JsonObject, changes } // objects stay objects

  function coerceValue(
    value: JsonValue | undefined,
    within: unknown,
    path: readonly (string | number)[],
  ): JsonValue | undefined {
    const options = alternativesOf(within, schema)
    if (typeof value === 'string') {
      const to = readText(value, options)
      if (to === undefined) return value
      changes.push({ path, from: value, to })
      return coerceMembers(to, options, path)
    }
    return coerceMembers(value, options, path)
  }

  function coerceMembers(
    value: JsonValue | undefined,
    options: readonly JsonSchema[],
    path: readonly (string | number)[],
  ): JsonValue | undefined {
    if (Array.isArray(value)) {
      const items = value as readonly JsonValue[] // `isArray` forgets what is in it
      return items.map(
        (item, index) =>
          coerceValue(item, { anyOf: itemSchemas(options, index) }, [...path, index]) ?? null,
      )
    }
    if (!isJsonObject(value)) return value
    const members = Object.entries(value).map(([name, member]) => [
      name,
      coerceValue(member, { anyOf: memberSchemas(options, name) }, [...path, name]),
    ])
    return Object.fromEntries(members) as JsonObject // the same names, with values of JSON
  }
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Returns the value of a text where no text is allowed; undefined if it has none, or may be text. */
function readText(text: string, options: readonly JsonSchema[]): JsonValue | undefined {
  const types = typesOf(options)
  if (types === undefined || types.has('string')) return undefined
  const plain = text.trim()
  if (types.has('number') || types.has('integer')) {
    const number = readNumber(plain)
    if (number !== undefined && (types.has('number') || Number.isInteger(number))) return number
  }
  if (types.has('boolean') && (plain === 'true' || plain === 'false')) return plain === 'true'
  if (types.has('null') && plain === 'null') return null
  const opening = plain[0]
  if (types.has('object') && opening === '{') return readJson(plain)
  if (types.has('array') && opening === '[') return readJson(plain)
  return undefined
}

/** Reads a number as JSON writes it, only if no digit is lost: a long id must not become another one. */
function readNumber(text: string): number | undefined {
  if (text.length > 64 || !numberPattern.test(text)) return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) return undefined
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number
}

function readJson(text: string): JsonValue | undefined {
  try {
    return parseJson(text) as JsonValue // what JSON.parse returns
  } catch {
    return undefined // the schema's own message says what was expected
  }
}

/** The types that a value may have; undefined if a schema does not say. */
function typesOf(options: readonly JsonSchema[]): ReadonlySet<string> | undefined {
  const types = new Set<string>()
  for (const { type, enum: values, const: only } of options) {
    const clientDescription =
      type ?? (Array.isArray(values) ? values.map(typeOf) : undefined) ?? typeOf(only)
    if (clientDescription === 'undefined') return undefined
    for (const item of [clientDescription].flat()) if (typeof item === 'string') types.add(item)
  }
  return types.size === 0 ? undefined : types
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** References that lead to references; more is a ring, or not worth it. */
const maxSteps = 16

/** The plain schemas that a value may follow: those of unions and references, and the schema itself. */
function alternativesOf(schema: unknown, root: JsonSchema, steps = 0): readonly JsonSchema[] {
  if (!isJsonObject(schema) || steps > maxSteps) return []
  const { $ref, anyOf, oneOf, allOf } = schema
  if (typeof $ref === 'string') return alternativesOf(resolve($ref, root), root, steps + 1)
  const parts = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  if (parts.length === 0) return [schema]
  const below = parts.flatMap((part) => alternativesOf(part, root, steps + 1))
  return 'type' in schema || 'properties' in schema ? [schema, ...below] : below
}

/** Inside the same document, which is all that schemas of tools may refer to. */
function resolve(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return undefined
  let found: unknown = root
  for (const step of reference.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}

function memberSchemas(options: readonly JsonSchema[], name: string): readonly unknown[] {
  return options.flatMap(({ properties, additionalProperties }) => {
    if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [properties[name]]
    return isJsonObject(additionalProperties) ? [additionalProperties] : []
  })
}

function itemSchemas(options: readonly JsonSchema[], index: number): readonly unknown[] {
  return options.flatMap(({ prefixItems, items }) => {
    const own: unknown = Array.isArray(prefixItems) ? prefixItems[index] : undefined
    return own === undefined ? (items ?? []) : [own]
  })
}
