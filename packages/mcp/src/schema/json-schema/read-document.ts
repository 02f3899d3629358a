/**
 * Reads a JSON Schema document before it is compiled: checks every keyword of every reachable schema, and throws `SchemaError` with all
 * problems at once.
 *
 * What it accepts can be compiled without further checks. References are resolved by `references.ts`; nothing is ever fetched.
 */

import { isObject, readMember } from '../json.ts'
import type { JsonSchema, SchemaIssue } from '../standard-schema.ts'
import type { CompileOptions } from './compile.ts'
import { hasKeyword, type Dialect, type SchemaPath, subschemas } from './dialect.ts'
import { createExpression } from './pattern.ts'
import { indexReferences, type SchemaLocation, type References } from './references.ts'
import { SchemaError } from './schema-error.ts'

/** Is called with each problem of a schema, and where it is. */
export type Reject = (message: string, ...path: SchemaPath) => void

/** Finds invalid keywords of one schema object; schemas inside it are checked on their own. */
function rejectKeywords(schema: JsonSchema, dialect: Dialect, reject: Reject): void {
  const isHidden = dialect.version <= 7 && typeof readMember(schema, '$ref') === 'string'
  if (isHidden) return
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = value === undefined ? undefined : rules.get(keyword)
    if (rule === undefined || !hasKeyword(dialect, keyword)) continue
    rule(value, (message, ...path) => reject(message, keyword, ...path), dialect.version)
  }
}

/** The problem of a value that should be a schema. */
const notSchema = 'must be a schema: an object or a boolean'

/** Whether this can be a schema at all. */
function isSchema(value: unknown): value is JsonSchema | boolean {
  return typeof value === 'boolean' || isObject(value)
}

type Rule = (value: unknown, reject: Reject, version: Dialect['version']) => void

const typeNames: ReadonlySet<unknown> = new Set(
  'null boolean integer number string array object'.split(' '),
)

const rejectType: Rule = (value, reject) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const name of new Set(names)) {
    if (!typeNames.has(name)) reject(`unknown type ${shorten(JSON.stringify(name))}`)
  }
}

const rejectChoices: Rule = (value, reject) => {
  if (!Array.isArray(value)) reject('must be an array')
}

const rejectCount: Rule = (value, reject) => {
  if (!Number.isInteger(value) || Number(value) < 0) reject('must be a non-negative integer')
}

const rejectNumber: Rule = (value, reject) => {
  if (!Number.isFinite(value)) reject('must be a number')
}

/** In draft 4 a boolean makes the plain limit an exclusive one. */
const rejectLimit: Rule = (value, reject, version) => {
  if (version > 4 || typeof value !== 'boolean') rejectNumber(value, reject, version)
}

const rejectDivisor: Rule = (value, reject, version) => {
  if (typeof value === 'number' && value <= 0) reject('must be more than 0')
  else rejectNumber(value, reject, version)
}

const rejectPattern: Rule = (value, reject) => {
  if (typeof value !== 'string') reject('must be a string')
  else if (!createExpression(value)) reject('is not a regular expression')
}

const rejectNames: Rule = (value, reject) => {
  const areNames = Array.isArray(value) && value.every((name) => typeof name === 'string')
  if (!areNames) reject('must be an array of strings')
}

const rejectSchema: Rule = (value, reject, version) => {
  if (isSchema(value)) return
  const isOldTuple = Array.isArray(value) && version === 2020
  reject(isOldTuple ? `${notSchema} (a tuple is written as prefixItems)` : notSchema)
}

const rejectSchemas: Rule = (value, reject, version) => {
  if (!Array.isArray(value)) return reject('must be an array of schemas')
  for (const [index, item] of value.entries()) {
    rejectSchema(item, (message) => reject(message, index), version)
  }
}

/** Before 2020-12 a tuple was written as an array. */
const rejectItems: Rule = (value, reject, version) => {
  const rule = version < 2020 && Array.isArray(value) ? rejectSchemas : rejectSchema
  rule(value, reject, version)
}

/** Returns a rule for objects: each member must follow the given rule. */
function rejectMembers(rule: Rule): Rule {
  return (value, reject, version) => {
    if (!isObject(value)) return reject('must be an object')
    for (const [name, member] of Object.entries(value)) {
      rule(member, (message) => reject(message, name), version)
    }
  }
}

const rejectPatterns: Rule = (value, reject, version) => {
  rejectMembers(rejectSchema)(value, reject, version)
  if (!isObject(value)) return
  for (const source of Object.keys(value)) {
    rejectPattern(source, (message) => reject(message, source), version)
  }
}

const rejectDependency: Rule = (value, reject, version) => {
  const rule = Array.isArray(value) ? rejectNames : rejectSchema
  rule(value, reject, version)
}

/** By keyword; words that share a rule stand together. */
const rules: ReadonlyMap<string, Rule> = new Map(
  (
    [
      ['type', rejectType],
      ['enum', rejectChoices],
      ['minLength maxLength minItems maxItems', rejectCount],
      ['minProperties maxProperties minContains maxContains', rejectCount],
      ['minimum maximum', rejectNumber],
      ['exclusiveMinimum exclusiveMaximum', rejectLimit],
      ['multipleOf', rejectDivisor],
      ['pattern', rejectPattern],
      ['required', rejectNames],
      ['additionalProperties propertyNames contains not if then else', rejectSchema],
      ['unevaluatedItems unevaluatedProperties', rejectSchema],
      ['items', rejectItems],
      ['allOf anyOf oneOf prefixItems', rejectSchemas],
      ['properties dependentSchemas', rejectMembers(rejectSchema)],
      ['patternProperties', rejectPatterns],
      ['dependentRequired', rejectMembers(rejectNames)],
      ['dependencies', rejectMembers(rejectDependency)],
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

/**
 * Reads every schema of a document that can be reached, and throws {@link SchemaError} with all that is wrong with them.
 * What it lets pass can be compiled: so an author hears of a mistake without the engine being there.
 */
export function readDocument(
  document: JsonSchema | boolean,
  resolve?: CompileOptions['resolve'],
): References {
  const problems: SchemaIssue[] = []
  const seen = new Set<JsonSchema>()
  const open = new Set<JsonSchema>()
  if (!isSchema(document)) throw new SchemaError([{ message: notSchema, path: [] }])
  const references = indexReferences(document, { resolve, refuse: reject })
  // References wait here, so that a long chain of them does not become a deep recursion.
  const waiting: unknown[] = [document]
  let isDynamic = false

  while (waiting.length > 0) {
    while (waiting.length > 0) read(waiting.pop())
    // Only now is every document known that may have an anchor by these names.
    if (isDynamic) waiting.push(...anchored().filter((schema) => !seen.has(schema)))
  }
  if (problems.length > 0) throw new SchemaError(problems)
  return references

  function reject(message: string, path: SchemaPath): void {
    if (problems.length < 20) problems.push({ message, path })
  }

  function anchored(): readonly JsonSchema[] {
    return [...references.dynamicAnchors.values()].flatMap((schemas) => [...schemas.values()])
  }

  function read(schema: unknown): void {
    const location = isObject(schema) ? references.place(schema) : undefined
    if (!isObject(schema) || !location) return // a boolean, or refused where it stands
    if (open.has(schema)) return reject('contains itself', location.path)
    if (seen.has(schema)) return
    const { resource, path } = location
    seen.add(schema)
    open.add(schema)
    rejectKeywords(schema, resource.dialect, (message, ...inner) =>
      reject(message, [...path, ...inner]),
    )
    follow(schema, location)
    for (const [child, keyword] of subschemas(schema, resource.dialect)) {
      if (!unread.has(keyword)) read(child)
    }
    open.delete(schema)
  }

  function follow(schema: JsonSchema, location: SchemaLocation): void {
    for (const [keyword, reference] of referencesIn(schema, location)) {
      const target =
        typeof reference === 'string' ? references.resolve(reference, location) : undefined
      if (target) waiting.push(target.schema)
      else reject(dangling(reference), [...location.path, keyword])
      isDynamic ||= keyword !== '$ref'
    }
  }
}

/** Keywords that never apply to a value directly: definitions are read when a reference names them. */
const unread: ReadonlySet<unknown> = new Set(['$defs', 'definitions', 'contentSchema'])

const referring: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

/** The references of one schema object that its dialect knows. */
function referencesIn(
  schema: JsonSchema,
  { resource: { dialect } }: SchemaLocation,
): readonly (readonly [keyword: string, reference: unknown])[] {
  return Object.entries(schema).filter(
    ([keyword, reference]) =>
      referring.has(keyword) && reference !== undefined && hasKeyword(dialect, keyword),
  )
}

function dangling(reference: unknown): string {
  return `refers to ${JSON.stringify(reference)}, which is not in the schema (nothing is fetched; see resolve)`
}
