import type { JsonValue } from '@parley/mcp'
import { isJsonObject } from '@parley/mcp/json'

import { itemLocations, declaredNames, memberRules } from '../describe/members.ts'
import { isJsonArray, isOfType, isSame, member, memberNames } from '../json.ts'
import { gather, type Source, type Subject } from './gather.ts'
import type { ResolvedVariant } from './settle.ts'
import type { Shape } from './shape.ts'
import { decideUnion, subjectOf } from './subject.ts'

/** Below this a value is not of that shape at all: another type, or a constant it does not have. */
const hopeless = -50
/** How far into a value one looks to tell shapes apart. */
const maximumDepth = 3
/** A check by the engine for each variant pays only where there are few. */
const maximumChecked = 24

/** Which shape a value has: the one that fits, else the one with most in common; -1 for none. */
export function bestVariant(
  source: Source,
  variants: readonly ResolvedVariant[],
  value: JsonValue,
): number {
  let best = -1
  let bestScore = hopeless
  for (const [index, variant] of variants.entries()) {
    let score = scoreOf(source, variant.subject, value, 0)
    if (score > hopeless && variants.length <= maximumChecked) {
      if (source.checker.fits(variant.location, value)) score += 1000
    }
    if (score > bestScore) {
      best = index
      bestScore = score
    }
  }
  return best
}

/** Whether a value can be shown in a shape without becoming JSON at once. */
export function isPossible(source: Source, subject: Subject, value: JsonValue): boolean {
  return scoreOf(source, subject, value, 0) > hopeless
}

function scoreOf(source: Source, subject: Subject, value: JsonValue, depth: number): number {
  const shape = gather(source, subject, value)
  if (shape.impossible || !isOfSomeType(shape, value)) return -100
  if (shape.options) return shape.options.some((option) => isSame(option.value, value)) ? 20 : -60
  const inner = shape.unions[0]
  if (inner && depth < maximumDepth) {
    const scores = inner.variants
      .slice(0, maximumChecked)
      .map((variant) => scoreOf(source, decideUnion(subject, inner.key, variant), value, depth + 1))
    return Math.max(...scores)
  }
  if (depth >= maximumDepth) return 1
  if (isJsonObject(value)) return 1 + scoreMembers(source, shape, value, depth)
  const first = isJsonArray(value) ? value[0] : undefined
  if (first === undefined) return 1
  return 1 + Math.max(-40, scoreOf(source, subjectOf(itemLocations(shape, 0)), first, depth + 1))
}

function scoreMembers(
  source: Source,
  shape: Shape,
  value: { readonly [name: string]: JsonValue | undefined },
  depth: number,
): number {
  const names = declaredNames(shape)
  let score = 0
  for (const name of [...names].slice(0, 100)) {
    const memberValue = member(value, name)
    const { locations } = memberRules(source, shape, name)
    if (memberValue === undefined) score -= shape.required.has(name) ? 2 : 0
    else score += scoreMember(source, subjectOf(locations), memberValue, depth)
  }
  for (const name of memberNames(value).slice(0, 100)) {
    if (names.has(name)) continue
    const { locations } = memberRules(source, shape, name)
    score -= locations.some(({ schema }) => schema === false) ? 10 : 0.5
  }
  return score
}

/** A constant that differs rules a shape out: it is what the shapes are told apart by. */
function scoreMember(source: Source, subject: Subject, value: JsonValue, depth: number): number {
  const score = scoreOf(source, subject, value, depth + 1)
  if (score >= 20) return 20
  return score <= -60 ? -40 : 2
}

function isOfSomeType({ types }: Shape, value: JsonValue): boolean {
  return types === undefined || [...types].some((type) => isOfType(value, type))
}
