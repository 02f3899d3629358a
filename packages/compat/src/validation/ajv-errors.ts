/**
 * The words of Ajv for a value that was refused. Programs show them to models, and some compare them.
 *
 * Only describes: whether a value is valid is Parley's validator's decision. Keywords that are not here are left to its own words.
 */

import { isJsonObject } from '@parley/mcp/json'

import { compiler } from '#json-schema'

interface Schema {
  readonly [keyword: string]: unknown
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Returns one line for each error, with its place: `data/a must be string`. */
export function describeErrors(schema: Schema | boolean, value: unknown, at = 'data'): string[] {
  if (typeof schema === 'boolean') return schema ? [] : [`${at} boolean schema is false`]
  const types = schema['type'] === undefined ? [] : [schema['type']].flat().map(String)
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return [`${at} must be ${types.join(',')}`]
  }
  return [
    ...numberErrors(schema, value, at),
    ...stringErrors(schema, value, at),
    ...arrayErrors(schema, value, at),
    ...objectErrors(schema, value, at),
    ...valueErrors(schema, value, at),
  ]
}

function hasType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isJsonObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function numberErrors(schema: Schema, value: unknown, at: string): string[] {
  if (typeof value !== 'number') return []
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<
    string,
    number | undefined
  >
  const errors: string[] = []
  if (maximum !== undefined && value > maximum) errors.push(`${at} must be <= ${maximum}`)
  if (minimum !== undefined && value < minimum) errors.push(`${at} must be >= ${minimum}`)
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    errors.push(`${at} must be < ${exclusiveMaximum}`)
  }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    errors.push(`${at} must be > ${exclusiveMinimum}`)
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    errors.push(`${at} must be multiple of ${multipleOf}`)
  }
  return errors
}

function stringErrors(schema: Schema, value: unknown, at: string): string[] {
  if (typeof value !== 'string') return []
  const { minLength, maxLength } = schema as Record<string, number | undefined>
  const { pattern, format } = schema as Record<string, string | undefined>
  const errors: string[] = []
  const { length } = Array.from(value)
  if (maxLength !== undefined && length > maxLength) {
    errors.push(`${at} must NOT have more than ${maxLength} characters`)
  }
  if (minLength !== undefined && length < minLength) {
    errors.push(`${at} must NOT have fewer than ${minLength} characters`)
  }
  if (pattern !== undefined && refuses({ type: 'string', pattern }, value)) {
    errors.push(`${at} must match pattern "${pattern}"`)
  }
  if (format !== undefined && refuses({ type: 'string', format }, value)) {
    errors.push(`${at} must match format "${format}"`)
  }
  return errors
}

function arrayErrors(schema: Schema, value: unknown, at: string): string[] {
  if (!Array.isArray(value)) return []
  const { minItems, maxItems } = schema as Record<string, number | undefined>
  const errors: string[] = []
  if (maxItems !== undefined && value.length > maxItems) {
    errors.push(`${at} must NOT have more than ${maxItems} items`)
  }
  if (minItems !== undefined && value.length < minItems) {
    errors.push(`${at} must NOT have fewer than ${minItems} items`)
  }
  const { items, uniqueItems } = schema
  if (isJsonObject(items) || typeof items === 'boolean') {
    errors.push(...value.flatMap((item, index) => describeErrors(items, item, `${at}/${index}`)))
  }
  if (uniqueItems === true) {
    const pair = firstDuplicate(value)
    if (pair) {
      errors.push(
        `${at} must NOT have duplicate items (items ## ${pair[0]} and ${pair[1]} are identical)`,
      )
    }
  }
  return errors
}

function firstDuplicate(items: readonly unknown[]): [number, number] | undefined {
  for (let later = items.length - 1; later > 0; later--) {
    for (let earlier = later - 1; earlier >= 0; earlier--) {
      if (isEqual(items[later], items[earlier])) return [later, earlier]
    }
  }
  return undefined
}

function objectErrors(schema: Schema, value: unknown, at: string): string[] {
  if (!isJsonObject(value)) return []
  const { required, properties, additionalProperties, patternProperties } = schema
  const named = isJsonObject(properties) ? properties : {}
  const errors = (Array.isArray(required) ? required : [])
    .filter((name: string) => !Object.hasOwn(value, name))
    .map((name: string) => `${at} must have required property '${name}'`)
  const others = isJsonObject(patternProperties)
    ? []
    : Object.keys(value).filter((key) => !Object.hasOwn(named, key))
  if (additionalProperties === false) {
    errors.push(...others.map(() => `${at} must NOT have additional properties`))
  } else if (isJsonObject(additionalProperties)) {
    errors.push(
      ...others.flatMap((key) => describeErrors(additionalProperties, value[key], `${at}/${key}`)),
    )
  }
  for (const [key, property] of Object.entries(named)) {
    if (Object.hasOwn(value, key)) {
      errors.push(...describeErrors(property as Schema, value[key], `${at}/${key}`))
    }
  }
  return errors
}

function valueErrors(schema: Schema, value: unknown, at: string): string[] {
  const errors: string[] = []
  const { allOf, anyOf, oneOf } = schema as Record<string, Schema[] | undefined>
  if (
    Array.isArray(schema['enum']) &&
    !schema['enum'].some((candidate) => isEqual(candidate, value))
  ) {
    errors.push(`${at} must be equal to one of the allowed values`)
  }
  if ('const' in schema && !isEqual(schema['const'], value)) {
    errors.push(`${at} must be equal to constant`)
  }
  for (const item of allOf ?? []) errors.push(...describeErrors(item, value, at))
  for (const [options, end] of [
    [anyOf, 'must match a schema in anyOf'],
    [oneOf, 'must match exactly one schema in oneOf'],
  ] as const) {
    if (!options) continue
    const failed = options.map((option) => describeErrors(option, value, at))
    const matched = failed.filter((candidate) => candidate.length === 0).length
    if (matched === 0) errors.push(...failed.flat(), `${at} ${end}`)
    else if (options === oneOf && matched > 1) errors.push(`${at} ${end}`)
  }
  return errors
}

/** Asks Parley's validator about one keyword. */
function refuses(schema: Schema, value: unknown): boolean {
  try {
    return compiler()(schema)(value) !== undefined
  } catch {
    return false
  }
}
