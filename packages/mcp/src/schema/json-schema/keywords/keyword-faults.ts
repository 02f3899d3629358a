import { isObject, readOwn } from '../../json/json.ts'
import type { JsonSchema } from '../../standard-schema.ts'
import { hasKeyword, type Dialect } from '../dialect.ts'
import { createExpression } from '../patterns/regular-expression.ts'
import type { SchemaPath } from '../subschemas.ts'

/** Is called with each problem of a schema, and where it is. */
export type Refuse = (message: string, ...path: SchemaPath) => void

/** Finds invalid keywords of one schema object; schemas inside it are checked on their own. */
export function refuseKeywords(schema: JsonSchema, dialect: Dialect, refuse: Refuse): void {
  const isHidden = dialect.version <= 7 && typeof readOwn(schema, '$ref') === 'string'
  if (isHidden) return
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = value === undefined ? undefined : rules.get(keyword)
    if (rule === undefined || !hasKeyword(dialect, keyword)) continue
    rule(value, (message, ...path) => refuse(message, keyword, ...path), dialect.version)
  }
}

/** The problem of a value that should be a schema. */
export const notSchema = 'must be a schema: an object or a boolean'

/** Whether this can be a schema at all. */
export function isSchema(value: unknown): value is JsonSchema | boolean {
  return typeof value === 'boolean' || isObject(value)
}

type Rule = (value: unknown, refuse: Refuse, version: Dialect['version']) => void

const typeNames: ReadonlySet<unknown> = new Set(
  'null boolean integer number string array object'.split(' '),
)

const refuseType: Rule = (value, refuse) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const name of new Set(names)) {
    if (!typeNames.has(name)) refuse(`unknown type ${shorten(JSON.stringify(name))}`)
  }
}

const refuseChoices: Rule = (value, refuse) => {
  if (!Array.isArray(value)) refuse('must be an array')
}

const refuseCount: Rule = (value, refuse) => {
  if (!Number.isInteger(value) || Number(value) < 0) refuse('must be a non-negative integer')
}

const refuseNumber: Rule = (value, refuse) => {
  if (!Number.isFinite(value)) refuse('must be a number')
}

/** In draft 4 a boolean makes the plain limit an exclusive one. */
const refuseLimit: Rule = (value, refuse, version) => {
  if (version > 4 || typeof value !== 'boolean') refuseNumber(value, refuse, version)
}

const refuseDivisor: Rule = (value, refuse, version) => {
  if (typeof value === 'number' && value <= 0) refuse('must be more than 0')
  else refuseNumber(value, refuse, version)
}

const refusePattern: Rule = (value, refuse) => {
  if (typeof value !== 'string') refuse('must be a string')
  else if (!createExpression(value)) refuse('is not a regular expression')
}

const refuseNames: Rule = (value, refuse) => {
  const areNames = Array.isArray(value) && value.every((name) => typeof name === 'string')
  if (!areNames) refuse('must be an array of strings')
}

const refuseSchema: Rule = (value, refuse, version) => {
  if (isSchema(value)) return
  const isOldTuple = Array.isArray(value) && version === 2020
  refuse(isOldTuple ? `${notSchema} (a tuple is written as prefixItems)` : notSchema)
}

const refuseSchemas: Rule = (value, refuse, version) => {
  if (!Array.isArray(value)) return refuse('must be an array of schemas')
  for (const [index, item] of value.entries()) {
    refuseSchema(item, (message) => refuse(message, index), version)
  }
}

/** Before 2020-12 a tuple was written as an array. */
const refuseItems: Rule = (value, refuse, version) => {
  const rule = version < 2020 && Array.isArray(value) ? refuseSchemas : refuseSchema
  rule(value, refuse, version)
}

/** Of an object each of whose members follows a rule. */
function refuseMembers(rule: Rule): Rule {
  return (value, refuse, version) => {
    if (!isObject(value)) return refuse('must be an object')
    for (const [name, member] of Object.entries(value)) {
      rule(member, (message) => refuse(message, name), version)
    }
  }
}

const refusePatterns: Rule = (value, refuse, version) => {
  refuseMembers(refuseSchema)(value, refuse, version)
  if (!isObject(value)) return
  for (const source of Object.keys(value)) {
    refusePattern(source, (message) => refuse(message, source), version)
  }
}

const refuseDependency: Rule = (value, refuse, version) => {
  const rule = Array.isArray(value) ? refuseNames : refuseSchema
  rule(value, refuse, version)
}

/** By keyword; words that share a rule stand together. */
const rules: ReadonlyMap<string, Rule> = new Map(
  (
    [
      ['type', refuseType],
      ['enum', refuseChoices],
      ['minLength maxLength minItems maxItems', refuseCount],
      ['minProperties maxProperties minContains maxContains', refuseCount],
      ['minimum maximum', refuseNumber],
      ['exclusiveMinimum exclusiveMaximum', refuseLimit],
      ['multipleOf', refuseDivisor],
      ['pattern', refusePattern],
      ['required', refuseNames],
      ['additionalProperties propertyNames contains not if then else', refuseSchema],
      ['unevaluatedItems unevaluatedProperties', refuseSchema],
      ['items', refuseItems],
      ['allOf anyOf oneOf prefixItems', refuseSchemas],
      ['properties dependentSchemas', refuseMembers(refuseSchema)],
      ['patternProperties', refusePatterns],
      ['dependentRequired', refuseMembers(refuseNames)],
      ['dependencies', refuseMembers(refuseDependency)],
    ] as const
  ).flatMap(([keywords, rule]) => keywords.split(' ').map((keyword) => [keyword, rule] as const)),
)

/** Keeps a piece of a schema from flooding a message. */
export function shorten(text: string | undefined): string {
  const whole = text ?? 'undefined'
  return whole.length > 100 ? `${whole.slice(0, 100)}…` : whole
}

/** A name in quotes, whatever its length and characters. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}
