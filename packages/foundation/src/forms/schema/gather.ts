import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import type { Checker } from '../check.ts'
import { member } from '../json.ts'
import type { SchemaLocation, SchemaDocument } from './schema-document.ts'
import { createShapeBuilder, type ShapeBuilder } from './shape-builder.ts'
import type { Shape } from './shape.ts'

/** The source of a form, and the work that it may still cost. */
export interface Source {
  readonly document: SchemaDocument
  readonly checker: Checker
  /** Schemas that may still be read; below zero everything is shown as JSON. */
  budget: number
}

/** The schemas that apply to a value, and which variant of their unions is taken. */
export interface Subject {
  readonly locations: readonly SchemaLocation[]
  /** By the list of variants; undefined takes none of them. */
  readonly decided: ReadonlyMap<unknown, SchemaLocation | undefined>
}

/** The number of schemas on one value above which they are no longer merged. */
const maximumPieces = 500

/**
 * Merges everything that applies to one value: references followed once each, all of `allOf`, the branch of `if` that
 * the value takes, and what depends on members it has.
 */
export function gather(source: Source, subject: Subject, value: JsonValue | undefined): Shape {
  const builder = createShapeBuilder()
  const seen = new Set<unknown>()
  const waiting = subject.locations.toReversed()
  let pieces = 0

  for (let location = waiting.pop(); location; location = waiting.pop()) {
    source.budget--
    if (++pieces > maximumPieces || source.budget < 0) {
      builder.trouble('the schema is too large for fields')
      break
    }
    if (location.schema === false) builder.exclude()
    if (!isJsonObject(location.schema) || seen.has(location.schema)) continue
    seen.add(location.schema)
    waiting.push(...applying(source, subject, location, value, builder).toReversed())
  }
  return builder.finish()
}

/** Adds what one schema says itself, and returns the schemas it brings with it. */
function applying(
  source: Source,
  subject: Subject,
  location: SchemaLocation,
  value: JsonValue | undefined,
  builder: ShapeBuilder,
): SchemaLocation[] {
  const schema = isJsonObject(location.schema) ? location.schema : {}
  const own: SchemaLocation =
    typeof schema['$id'] === 'string' && !schema['$id'].startsWith('#')
      ? { ...location, resource: schema }
      : location
  const targets = follow(source, own, schema, builder)
  if (targets.length > 0 && source.document.ignoresRefSiblings) return targets
  builder.add(own, schema)
  return [
    ...targets,
    ...listOf(schema['allOf']).map((inner) => at(own, inner)),
    ...decide(subject, own, schema, builder),
    ...branch(source, own, schema, value, builder),
    ...dependents(own, schema, value, builder),
  ]
}

function follow(
  source: Source,
  location: SchemaLocation,
  schema: SchemaLocation['resource'],
  builder: ShapeBuilder,
) {
  const targets: SchemaLocation[] = []
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef'] as const) {
    const reference = schema[keyword]
    if (typeof reference !== 'string') continue
    const target = source.document.resolve(keyword, reference, location.resource)
    if (target) targets.push(target)
    else builder.trouble(`cannot follow ${keyword} ${JSON.stringify(reference)}`)
  }
  return targets
}

/** The variants taken already; a union that is still open is noted. */
function decide(
  { decided }: Subject,
  location: SchemaLocation,
  schema: SchemaLocation['resource'],
  builder: ShapeBuilder,
): SchemaLocation[] {
  const chosen: SchemaLocation[] = []
  for (const keyword of ['anyOf', 'oneOf']) {
    const list = schema[keyword]
    if (!Array.isArray(list) || list.length === 0) continue
    if (!decided.has(list)) {
      builder.addUnion({ key: list, variants: list.map((inner) => at(location, inner)) })
    }
    const variant = decided.get(list)
    if (variant) chosen.push(variant)
  }
  return chosen
}

function branch(
  source: Source,
  location: SchemaLocation,
  schema: SchemaLocation['resource'],
  value: JsonValue | undefined,
  builder: ShapeBuilder,
): SchemaLocation[] {
  const condition = schema['if']
  if (condition === undefined) return []
  if (schema['then'] === undefined && schema['else'] === undefined) return []
  const matches = source.checker.fits(at(location, condition), value ?? {})
  if (matches === undefined) builder.trouble('cannot tell whether "if" holds')
  const branchSchema = matches === undefined ? undefined : schema[matches ? 'then' : 'else']
  return branchSchema === undefined ? [] : [at(location, branchSchema)]
}

function dependents(
  location: SchemaLocation,
  schema: SchemaLocation['resource'],
  value: JsonValue | undefined,
  builder: ShapeBuilder,
): SchemaLocation[] {
  const locations: SchemaLocation[] = []
  for (const keyword of ['dependentSchemas', 'dependentRequired', 'dependencies']) {
    const table = schema[keyword]
    if (!isJsonObject(table)) continue
    for (const [name, needed] of Object.entries(table)) {
      if (!isJsonObject(value) || member(value, name) === undefined) continue
      if (Array.isArray(needed)) builder.require(needed)
      else locations.push(at(location, needed))
    }
  }
  return locations
}

/** A schema inside another: same resource, no name of its own. */
export function at(location: SchemaLocation, schema: unknown): SchemaLocation {
  return { schema, resource: location.resource }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
