import { compileJsonSchema, type JsonSchema } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

/** Whether a schema describes what is sent or what comes back. */
export type Direction = 'input' | 'output'

/** Context for converting one schema. */
export interface Conversion {
  readonly direction: Direction
  /** The dialect of OpenAPI 3.0. */
  readonly isOld: boolean
  /** Where a reference leads in the new schema. */
  reference(pointer: string): string
}

/** Keywords of OpenAPI that are not of JSON Schema, or of no use to callers. */
const dropped = new Set(['discriminator', 'xml', 'externalDocs', 'example', 'examples', 'nullable'])
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const single = new Set([
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
])
const maxDescription = 1_000

/** A schema of OpenAPI 3.0 or 3.1 as JSON Schema 2020-12. */
export function convertSchema(schema: unknown, how: Conversion): JsonSchema | boolean {
  if (typeof schema === 'boolean') return schema
  if (!isJsonObject(schema)) return {}
  const { $ref } = schema
  if (typeof $ref === 'string') {
    const reference = { $ref: how.reference($ref) }
    if (how.isOld) return reference // what stands beside it does not count there
    const { $ref: _, ...beside } = schema
    return { ...keywords(beside, how), ...reference }
  }
  const converted = keywords(schema, how)
  return how.isOld && schema['nullable'] === true ? orNull(converted) : converted
}

function keywords(schema: JsonSchema, how: Conversion): JsonSchema {
  const converted: { [keyword: string]: unknown } = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (dropped.has(keyword) || keyword.startsWith('x-')) continue
    if (keyword === 'properties') converted[keyword] = convertProperties(value, how)
    else if (keyword === 'patternProperties') {
      const usable = Object.entries(isJsonObject(value) ? value : {}).filter(([name]) =>
        isPattern(name),
      )
      converted[keyword] = convertProperties(Object.fromEntries(usable), how)
    } else if (lists.has(keyword) && Array.isArray(value)) {
      converted[keyword] = value.map((part: unknown) => convertSchema(part, how))
    } else if (single.has(keyword)) converted[keyword] = convertSchema(value, how)
    else if (keyword === 'required' && Array.isArray(value)) {
      const required = value.filter((name) => !isOtherSide(propertyOf(schema, name), how))
      if (required.length > 0) converted['required'] = required
    } else if (keyword === 'description' && typeof value === 'string') {
      converted[keyword] = shorten(value)
    } else if (keyword !== 'pattern' || isPattern(value)) converted[keyword] = value
  }
  return how.isOld ? withNumericLimits(converted) : converted
}

function convertProperties(properties: unknown, how: Conversion): JsonSchema {
  if (!isJsonObject(properties)) return {}
  const remaining = Object.entries(properties).filter(([, property]) => !isOtherSide(property, how))
  return Object.fromEntries(
    remaining.map(([name, property]) => [name, convertSchema(property, how)]),
  )
}

/** Checks for properties of the other direction: those that only a server sets are not sent, and those only for it do not come back. */
function isOtherSide(property: unknown, { direction }: Conversion): boolean {
  return (
    isJsonObject(property) && property[direction === 'input' ? 'readOnly' : 'writeOnly'] === true
  )
}

function propertyOf({ properties }: JsonSchema, name: unknown): unknown {
  return isJsonObject(properties) && typeof name === 'string' ? properties[name] : undefined
}

/** In 3.0 the limit is a number and a flag says that it is not included. */
function withNumericLimits(schema: { [keyword: string]: unknown }): JsonSchema {
  for (const [limit, flag] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[flag] !== 'boolean') continue
    const isExclusive = schema[flag]
    delete schema[flag]
    if (!isExclusive || schema[limit] === undefined) continue
    schema[flag] = schema[limit]
    delete schema[limit]
  }
  return schema
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: choices, ...rest } = schema
  if (typeof type === 'string') {
    const values = Array.isArray(choices) && !choices.includes(null) ? [...choices, null] : choices
    return { ...rest, type: [type, 'null'], ...(values !== undefined && { enum: values }) }
  }
  const { description, title, ...unnamed } = schema
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [unnamed, { type: 'null' }],
  }
}

/**
 * Patterns of other languages, and those that cannot be matched in linear time, are left out rather than make a tool unusable
 * or slow: the API checks for itself.
 */
function isPattern(pattern: unknown): boolean {
  try {
    return (
      typeof pattern === 'string' &&
      compileJsonSchema({ pattern }, { untrusted: true }) !== undefined
    )
  } catch {
    return false
  }
}

/** A description that is not longer than a model should have to read. */
export function shorten(text: string, most = maxDescription): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}
