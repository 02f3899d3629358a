import type { Matcher } from './matcher.ts'
import type { Check } from './run.ts'
import type { SchemaPath } from './subschemas.ts'

/** One schema object while it is compiled: what its keywords say, and how to compile or refuse them. */
export interface Site {
  readonly version: number
  readonly assertsFormats: boolean
  /** A keyword's value; undefined if it is absent, or unknown in the schema's dialect. */
  readonly read: (keyword: string) => unknown
  /** Compiles the schema found inside this one at `path`. */
  readonly compile: (schema: unknown, ...path: SchemaPath) => Check
  readonly compilePattern: (source: string, ...path: SchemaPath) => Matcher
  /** Says what is wrong with the schema; compiling goes on, to find what else is. */
  readonly refuse: (message: string, ...path: SchemaPath) => void
}

/** A keyword that must be a count, as `minLength` is. */
export function readCount(site: Site, keyword: string): number | undefined {
  const value = site.read(keyword)
  if (value === undefined || (Number.isInteger(value) && Number(value) >= 0))
    return value as number | undefined // proved by the test
  site.refuse('must be a non-negative integer', keyword)
  return undefined
}

/** A keyword that must be a number, as `maximum` is. */
export function readNumber(site: Site, keyword: string): number | undefined {
  const value = site.read(keyword)
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  site.refuse('must be a number', keyword)
  return undefined
}

/** A keyword that must be a list of names, as `required` is. */
export function readNames(site: Site, value: unknown, ...path: SchemaPath): readonly string[] {
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value
  site.refuse('must be an array of strings', ...path)
  return []
}

/** A keyword that must be an array of schemas, as `anyOf` is; undefined if it is absent. */
export function readSchemas(site: Site, keyword: string): Check[] | undefined {
  const value = site.read(keyword)
  if (value === undefined) return undefined
  if (Array.isArray(value))
    return value.map((schema, index) => site.compile(schema, keyword, index))
  site.refuse('must be an array of schemas', keyword)
  return undefined
}

/** A keyword that must be a schema, as `not` is; undefined if it is absent. */
export function readSchema(site: Site, keyword: string): Check | undefined {
  const value = site.read(keyword)
  return value === undefined ? undefined : site.compile(value, keyword)
}

/** A keyword that must be an object, as `properties` is: its members, empty if it is absent. */
export function readMembers(
  site: Site,
  keyword: string,
): readonly [name: string, value: unknown][] {
  const value = site.read(keyword)
  if (value === undefined) return []
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value)
  site.refuse('must be an object', keyword)
  return []
}
