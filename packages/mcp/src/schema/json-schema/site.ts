import type { SchemaPath } from './dialect.ts'
import type { Matcher } from './patterns/matcher.ts'
import type { Check } from './run.ts'

/** One schema object while it is compiled: what its keywords say, which has been found to be what they may say. */
export interface Site {
  readonly version: number
  readonly assertsFormats: boolean
  /** A keyword's value; undefined if it is absent, or unknown in the schema's dialect. */
  readonly read: (keyword: string) => unknown
  /** Compiles a schema found inside this one. */
  readonly compile: (schema: unknown) => Check
  /** A pattern that may not be used is refused by the path to it. */
  readonly compilePattern: (source: string, ...path: SchemaPath) => Matcher
}

/** A keyword that is a number, as `minLength` is. */
export function readNumber(site: Site, keyword: string): number | undefined {
  return site.read(keyword) as number | undefined // the document has been read, as below
}

/** A keyword that is an array of schemas, as `anyOf` is; undefined if it is absent. */
export function readSchemas(site: Site, keyword: string): Check[] | undefined {
  const schemas = site.read(keyword) as readonly unknown[] | undefined
  return schemas?.map(site.compile)
}

/** A keyword that is a schema, as `not` is; undefined if it is absent. */
export function readSchema(site: Site, keyword: string): Check | undefined {
  const schema = site.read(keyword)
  return schema === undefined ? undefined : site.compile(schema)
}

/** A keyword that is an object, as `properties` is: its members, empty if it is absent. */
export function readMembers(
  site: Site,
  keyword: string,
): readonly [name: string, value: unknown][] {
  return Object.entries(site.read(keyword) ?? {})
}
