import type { JsonObject, JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { itemLocations, declaredNames, memberRules } from '../describe/members.ts'
import { isSame, member, memberNames, withMember, type TypeName } from '../json.ts'
import { gather, type Source, type Subject } from '../schema/gather.ts'
import { isPossible } from '../schema/match.ts'
import { resolve, type Resolved } from '../schema/settle.ts'
import type { Shape } from '../schema/shape.ts'
import { subjectOf } from '../schema/subject.ts'
import { sampleNumber, sampleText } from './sample-scalars.ts'

/**
 * `start`: as little as possible, for a person to fill. `defaults`: that, and every member that has a default.
 * `sample`: an example with something everywhere.
 */
export type Fill = 'start' | 'defaults' | 'sample'

const deepest = 12
const maxOptionalDepth = 4

/** A value for what applies; it fits where that can be had without search. Always ends, whatever the schema says. */
export function makeValue(source: Source, subject: Subject, fill: Fill, depth = 0): JsonValue {
  const resolved = resolve(source, subject, undefined)
  const { shape, options, variants } = resolved
  if (shape.default !== undefined) return shape.default
  if (fill === 'sample' && shape.examples[0] !== undefined) return shape.examples[0]
  if (options) return options[0]?.value ?? null
  if (depth > deepest || source.budget < 0) return resolved.nullable ? null : emptyOf(resolved)
  if (variants) {
    const isDeep = depth > maxOptionalDepth
    const possible = variants.filter(
      ({ subject: itemSubject }) => !gather(source, itemSubject, undefined).impossible,
    )
    const simplest = isDeep
      ? possible.find(({ subject: itemSubject }) => isSimple(source, itemSubject))
      : undefined
    const chosen = simplest ?? possible[0] ?? variants[0]
    return chosen ? makeValue(source, chosen.subject, fill, depth + 1) : null
  }
  switch (typeOf(resolved)) {
    case 'object':
      return makeObject(source, subject, shape, fill, depth)
    case 'array':
      return makeArray(source, shape, fill, depth)
    case 'string':
      return fill === 'sample' || shape.patterns.length > 0 ? sampleText(source, shape) : ''
    case 'number':
    case 'integer':
      return sampleNumber(shape)
    case 'boolean':
      return false
    case 'null':
    case undefined:
      return fill === 'sample' || resolved.nullable ? null : {}
  }
}

/** A value of a shape that keeps the members of the present one that still have a place there. */
export function convertValue(
  source: Source,
  subject: Subject,
  present: JsonValue | undefined,
): JsonValue {
  const fresh = makeValue(source, subject, 'start')
  if (!isJsonObject(present) || !isJsonObject(fresh)) {
    return present !== undefined && isPossible(source, subject, present) ? present : fresh
  }
  let result = fresh
  const shape = gather(source, subject, fresh)
  const names = declaredNames(shape)
  for (const name of memberNames(present)) {
    const memberValue = member(present, name)
    if (memberValue === undefined || !names.has(name) || isSame(memberValue, member(fresh, name)))
      continue
    const inner = subjectOf(memberRules(source, shape, name).locations)
    if (isPossible(source, inner, memberValue)) result = withMember(result, name, memberValue)
  }
  return result
}

/** Returns the assumed type of a value without a stated one, from the keywords about it. */
export function typeOf({ shape, type }: Resolved): TypeName | undefined {
  if (type || shape.types) return type
  if (shape.objects.length > 0 || shape.required.size > 0) return 'object'
  if (shape.arrays.length > 0) return 'array'
  const { limits } = shape
  if (shape.patterns.length > 0 || limits.minLength !== undefined) return 'string'
  if (limits.maxLength !== undefined || shape.format !== undefined) return 'string'
  const isNumber = limits.minimum ?? limits.maximum ?? limits.multipleOf
  return isNumber === undefined ? undefined : 'number'
}

function makeObject(
  source: Source,
  subject: Subject,
  shape: Shape,
  fill: Fill,
  depth: number,
): JsonObject {
  const entries = new Map<string, JsonValue>()
  // Members required by the first ones (`if`, dependent schemas) are filled in a second round.
  for (let round = 0; round < 2; round++) {
    const now = round === 0 ? shape : gather(source, subject, Object.fromEntries(entries))
    for (const name of declaredNames(now)) {
      if (entries.has(name) || source.budget < 0) continue
      const inner = subjectOf(memberRules(source, now, name).locations)
      if (isWanted(source, inner, now.required.has(name), fill, depth)) {
        entries.set(name, makeValue(source, inner, fill, depth + 1))
      }
    }
  }
  return Object.fromEntries(entries)
}

/** An empty start has only what is settled: constants, defaults, and what must be there and holds such. */
function isWanted(
  source: Source,
  subject: Subject,
  isRequired: boolean,
  fill: Fill,
  depth: number,
): boolean {
  const { impossible, default: defaultValue, options } = gather(source, subject, undefined)
  if (impossible) return false
  if (fill === 'sample') return isRequired || depth < maxOptionalDepth
  if (defaultValue !== undefined && fill === 'defaults') return true
  return isRequired && (defaultValue !== undefined || options?.length === 1)
}

function makeArray(source: Source, shape: Shape, fill: Fill, depth: number): JsonValue {
  const fixed = Math.max(0, ...shape.arrays.map(({ prefix }) => prefix.length))
  const least = shape.limits.minItems ?? 0
  const most = shape.limits.maxItems ?? Infinity
  const wanted = fill === 'sample' && depth < maxOptionalDepth ? Math.max(least, fixed, 1) : least
  const items: JsonValue[] = []
  for (let index = 0; index < Math.min(wanted, most, 100) && source.budget >= 0; index++) {
    const inner = subjectOf(itemLocations(shape, index))
    if (gather(source, inner, undefined).impossible) break
    items.push(makeValue(source, inner, fill, depth + 1))
  }
  return items
}

function isSimple(source: Source, subject: Subject): boolean {
  const { types } = gather(source, subject, undefined)
  return types !== undefined && !types.has('object') && !types.has('array')
}

function emptyOf(resolved: Resolved): JsonValue {
  const type = typeOf(resolved)
  if (type === 'array') return []
  if (type === 'string') return ''
  if (type === 'number' || type === 'integer') return sampleNumber(resolved.shape)
  return type === 'boolean' ? false : type === 'object' ? {} : null
}
