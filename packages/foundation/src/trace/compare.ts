import type { JsonValue } from '@parley/mcp'

import { exchangesOf, type Exchange } from './exchanges.ts'
import type { TraceRecord } from './record.ts'

/** Two requests that stand for each other, or one that has none. */
export interface ComparedExchange {
  /** The method of both. */
  readonly method: string
  /** The tool, prompt or resource, where it is about one. */
  readonly name?: string | undefined
  /** Whether both are the same, differ, or only one side has it. */
  readonly kind: 'same' | 'changed' | 'only-left' | 'only-right'
  /** The request of the left trace. */
  readonly left?: Exchange | undefined
  /** The request of the right trace. */
  readonly right?: Exchange | undefined
  /** The differences in params, result and error. */
  readonly changes: readonly ChangedField[]
  /** How much longer the right one took. */
  readonly slowerMs?: number | undefined
}

/** One place where two messages differ; absent sides have no such member. */
export interface ChangedField {
  /** A JSON Pointer that begins with `/params`, `/result` or `/error`. */
  readonly pointer: string
  /** The value in the left message; absent if it is not there. */
  readonly left?: JsonValue | undefined
  /** The value in the right message; absent if it is not there. */
  readonly right?: JsonValue | undefined
}

/** Aligns the requests of two traces by method, name and order, and says what changed. */
export function compareTraces(
  left: Iterable<TraceRecord>,
  right: Iterable<TraceRecord>,
): readonly ComparedExchange[] {
  const lefts = exchangesOf(left)
  const rights = exchangesOf(right)
  const pairs = align(lefts.map(keyOf), rights.map(keyOf))
  return pairs.map(([first, second]) =>
    compareOne(
      first === undefined ? undefined : lefts[first],
      second === undefined ? undefined : rights[second],
    ),
  )
}

function compareOne(left: Exchange | undefined, right: Exchange | undefined): ComparedExchange {
  const { method = '', name } = left ?? right ?? {}
  const about = {
    method,
    ...(name !== undefined && { name }),
    ...(left && { left }),
    ...(right && { right }),
  }
  if (left === undefined) return { ...about, kind: 'only-right', changes: [] }
  if (right === undefined) return { ...about, kind: 'only-left', changes: [] }
  const changes: ChangedField[] = []
  for (const part of ['params', 'result', 'error'] as const) {
    findChanges(left[part], right[part], `/${part}`, changes)
  }
  const isTimed = left.durationMs !== undefined && right.durationMs !== undefined
  return {
    ...about,
    kind: changes.length === 0 ? 'same' : 'changed',
    changes,
    ...(isTimed && { slowerMs: (right.durationMs ?? 0) - (left.durationMs ?? 0) }),
  }
}

function keyOf({ method, name }: Exchange): string {
  return JSON.stringify([method, name])
}

/** More differences than anybody reads. */
const maxChanges = 200
/** Counts and tokens of single connections say nothing about what changed. */
const passing = new Set(['/params/_meta/progressToken'])

function findChanges(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  pointer: string,
  changes: ChangedField[],
): void {
  if (left === right || changes.length >= maxChanges || passing.has(pointer)) return
  const isComparable =
    typeof left === 'object' && typeof right === 'object' && left !== null && right !== null
  if (!isComparable || Array.isArray(left) !== Array.isArray(right)) {
    changes.push({
      pointer,
      ...(left !== undefined && { left }),
      ...(right !== undefined && { right }),
    })
    return
  }
  const ours = new Map<string, JsonValue | undefined>(Object.entries(left))
  const theirs = new Map<string, JsonValue | undefined>(Object.entries(right))
  for (const name of new Set([...ours.keys(), ...theirs.keys()])) {
    const step = name.replaceAll('~', '~0').replaceAll('/', '~1')
    findChanges(ours.get(name), theirs.get(name), `${pointer}/${step}`, changes)
  }
}

/** Both sides in order: the longest common run of keys is paired, the rest stands alone. */
function align(
  left: readonly string[],
  right: readonly string[],
): readonly (readonly [number | undefined, number | undefined])[] {
  if (left.length * right.length > maxCells) return alignByOccurrence(left, right)
  const width = right.length + 1
  const lengths = new Uint32Array((left.length + 1) * width)
  for (let i = left.length - 1; i >= 0; i -= 1) {
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const below = lengths[(i + 1) * width + j] ?? 0
      const beside = lengths[i * width + j + 1] ?? 0
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1
      lengths[i * width + j] = left[i] === right[j] ? both : Math.max(below, beside)
    }
  }
  const pairs: [number | undefined, number | undefined][] = []
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    const below = lengths[(i + 1) * width + j] ?? -1
    const beside = lengths[i * width + j + 1] ?? -1
    if (i < left.length && j < right.length && left[i] === right[j]) pairs.push([i++, j++])
    else if (j >= right.length || (i < left.length && below >= beside)) pairs.push([i++, undefined])
    else pairs.push([undefined, j++])
  }
  return pairs
}

/** 2000 by 2000 requests; larger traces are paired by how often a key was there before. */
const maxCells = 4_000_000

function alignByOccurrence(left: readonly string[], right: readonly string[]) {
  const locations = new Map<string, number[]>()
  for (const [index, key] of right.entries()) {
    const indexes = locations.get(key)
    if (indexes === undefined) locations.set(key, [index])
    else indexes.push(index)
  }
  for (const list of locations.values()) list.reverse() // the first is taken first, from the end
  const usedIndexes = new Set<number>()
  const pairs: [number | undefined, number | undefined][] = left.map((key, index) => {
    const other = locations.get(key)?.pop()
    if (other !== undefined) usedIndexes.add(other)
    return [index, other]
  })
  for (const index of right.keys()) if (!usedIndexes.has(index)) pairs.push([undefined, index])
  return pairs
}
