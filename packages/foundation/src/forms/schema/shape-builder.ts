import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { Option } from '../describe/form-node.ts'
import { readOptions } from '../describe/options.ts'
import { isOfType, isSame, type TypeName } from '../json.ts'
import { isUnknownKeyword } from './keywords.ts'
import type { SchemaLocation } from './schema-document.ts'
import {
  lowerLimits,
  upperLimits,
  type ArrayRules,
  type LimitName,
  type ObjectRules,
  type Shape,
  type Union,
} from './shape.ts'

/** Takes schemas that apply together, the outermost first, and merges them. */
export interface ShapeBuilder {
  add(location: SchemaLocation, schema: SchemaLocation['resource']): void
  addUnion(union: Union): void
  require(names: readonly unknown[]): void
  exclude(): void
  trouble(why: string): void
  finish(): Shape
}

const typeNames: readonly string[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]
const texts = ['title', 'description', 'format', 'contentEncoding', 'contentMediaType'] as const
const flags = ['deprecated', 'readOnly', 'writeOnly', 'uniqueItems'] as const

/** Starts with what fits everything; each schema takes away. */
export function createShapeBuilder(): ShapeBuilder {
  const merged: {
    [member in (typeof texts)[number] | 'ownTitle' | 'name']?: string | undefined
  } = {}
  const marks = { deprecated: false, readOnly: false, writeOnly: false, uniqueItems: false }
  const limits: { [name in LimitName]?: number | undefined } = {}
  const unions: Union[] = []
  const objects: ObjectRules[] = []
  const arrays: ArrayRules[] = []
  const required = new Set<string>()
  const patterns: string[] = []
  const unknownKeywords: string[] = []
  let types: ReadonlySet<TypeName> | undefined
  let options: readonly Option[] | undefined
  let examples: readonly JsonValue[] = []
  let start: { readonly value: JsonValue } | undefined
  let isExcluded = false
  let trouble: string | undefined

  function add(location: SchemaLocation, schema: SchemaLocation['resource']) {
    merged.name ??= location.name
    if (location.name === undefined && typeof schema['title'] === 'string') {
      merged.ownTitle ??= schema['title']
    }
    for (const text of texts) if (typeof schema[text] === 'string') merged[text] ??= schema[text]
    for (const flag of flags) marks[flag] ||= schema[flag] === true
    // Values in a schema are JSON: the schema was parsed from JSON.
    if (Object.hasOwn(schema, 'default')) start ??= { value: schema['default'] as JsonValue }
    if (examples.length === 0) examples = readExamples(schema)
    if (typeof schema['pattern'] === 'string') patterns.push(schema['pattern'])
    const own = readTypes(schema['type'])
    if (own) types = types ? intersect(types, own) : own
    const input = readOptions(schema)
    if (input) {
      options = options ? input.filter(({ value }) => hasOption(options, value)) : input
    }
    if (Array.isArray(schema['required'])) require(schema['required'])
    addLimits(limits, schema)
    addStructure(location, schema)
    for (const keyword of Object.keys(schema)) {
      if (isUnknownKeyword(keyword)) unknownKeywords.push(keyword)
    }
  }

  function addStructure(location: SchemaLocation, schema: SchemaLocation['resource']) {
    const rules = readObjectRules(location, schema)
    if (rules) objects.push(rules)
    const items = readArrayRules(location, schema)
    if (items) arrays.push(items)
  }

  function require(names: readonly unknown[]) {
    for (const name of names) if (typeof name === 'string') required.add(name)
  }

  return {
    add,
    addUnion: (union) => void unions.push(union),
    require,
    exclude: () => void (isExcluded = true),
    trouble: (why) => void (trouble ??= why),
    finish() {
      const fitting = options?.filter(({ value }) => isOfSomeType(value, types))
      return {
        ...merged,
        ...marks,
        types,
        options: fitting,
        unions,
        objects,
        arrays,
        required,
        default: start?.value,
        examples,
        patterns,
        limits,
        impossible: isExcluded || types?.size === 0 || fitting?.length === 0,
        unknownKeywords,
        trouble,
      }
    },
  }
}

function isOfSomeType(value: JsonValue, types: ReadonlySet<TypeName> | undefined): boolean {
  return types === undefined || [...types].some((type) => isOfType(value, type))
}

function hasOption(options: readonly Option[] | undefined, value: JsonValue): boolean {
  return options === undefined || options.some((option) => isSame(option.value, value))
}

function readTypes(type: unknown): ReadonlySet<TypeName> | undefined {
  const names = Array.isArray(type) ? type : [type]
  const types = names.filter((name): name is TypeName => typeNames.includes(String(name)))
  if (types.length === 0) return undefined
  return new Set(types.filter((name) => name !== 'integer' || !types.includes('number')))
}

function intersect(left: ReadonlySet<TypeName>, right: ReadonlySet<TypeName>) {
  const both = new Set<TypeName>()
  for (const type of left) {
    if (right.has(type)) both.add(type)
    else if (type === 'integer' && right.has('number')) both.add('integer')
    else if (type === 'number' && right.has('integer')) both.add('integer')
  }
  return both
}

function addLimits(
  limits: { [name in LimitName]?: number | undefined },
  schema: SchemaLocation['resource'],
) {
  for (const name of lowerLimits) limits[name] = tightest(Math.max, limits[name], schema[name])
  for (const name of upperLimits) limits[name] = tightest(Math.min, limits[name], schema[name])
  limits.multipleOf = tightest(Math.max, limits.multipleOf, schema['multipleOf'])
}

function tightest(
  pick: (...numbers: number[]) => number,
  before: number | undefined,
  bound: unknown,
): number | undefined {
  if (typeof bound !== 'number' || !Number.isFinite(bound)) return before
  return before === undefined ? bound : pick(before, bound)
}

function readExamples(schema: SchemaLocation['resource']): readonly JsonValue[] {
  const { examples, example } = schema
  // As with `default`: a part of JSON is JSON.
  if (Array.isArray(examples)) return (examples as readonly JsonValue[]).slice(0, 20)
  return example === undefined ? [] : [example as JsonValue]
}

const objectKeywords = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
]

function readObjectRules(
  location: SchemaLocation,
  schema: SchemaLocation['resource'],
): ObjectRules | undefined {
  if (!objectKeywords.some((keyword) => schema[keyword] !== undefined)) return undefined
  const { properties, patternProperties, additionalProperties } = schema
  return {
    properties: isJsonObject(properties) ? properties : {},
    patterns: isJsonObject(patternProperties) ? patternProperties : {},
    additional: additionalProperties,
    unevaluated: schema['unevaluatedProperties'],
    location: location,
  }
}

/** `items` as a list, and `additionalItems` behind it, are how drafts before 2020-12 say it. */
function readArrayRules(
  location: SchemaLocation,
  schema: SchemaLocation['resource'],
): ArrayRules | undefined {
  const { prefixItems, items, additionalItems, unevaluatedItems } = schema
  if (Array.isArray(items)) {
    return { prefix: items, rest: additionalItems ?? unevaluatedItems, location: location }
  }
  const rest = items ?? unevaluatedItems
  if (Array.isArray(prefixItems)) return { prefix: prefixItems, rest, location: location }
  return rest === undefined ? undefined : { prefix: [], rest, location: location }
}
