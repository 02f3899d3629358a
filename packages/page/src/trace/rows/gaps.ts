import { statusOf, type Row } from './rows.ts'

/** A time in which nothing of what is shown was in flight. */
export interface Gap {
  readonly from: number
  readonly to: number
  /** The row that ended it. */
  readonly next: Row
  /** Requests before it that never got an answer. */
  readonly unanswered: number
  /** Nor was anything else. */
  readonly isIdle: boolean
}

/** Shorter pauses belong to the work around them. */
export const minGapMs = 1000

/** The long pauses between rows in the order they began; `idle` are those of all rows, where these are only some. */
export function findGaps(top: readonly Row[], idle?: readonly Gap[]): readonly Gap[] {
  const gaps: Gap[] = []
  let busyUntil = Infinity
  let unanswered = 0
  for (const row of top) {
    const { time } = row.entry
    if (time - busyUntil >= minGapMs) {
      const isIdle = idle === undefined || isWithin(idle, busyUntil, time)
      gaps.push({ from: busyUntil, to: time, next: row, unanswered, isIdle })
    }
    busyUntil = busyUntil === Infinity ? row.end : Math.max(busyUntil, row.end)
    if (statusOf(row) === 'pending') unanswered++
  }
  return gaps
}

/** Those that lie within a time, the longest if they are many; in order. */
export function gapsWithin(
  gaps: readonly Gap[],
  from: number,
  to: number,
  most: number,
): readonly Gap[] {
  const inside: Gap[] = []
  for (let at = firstAfter(gaps, from); at < gaps.length; at++) {
    const gap = gaps[at]!
    if (gap.to > to) break
    inside.push(gap)
  }
  if (inside.length <= most) return inside
  const longest = new Set(inside.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, most))
  return inside.filter((gap) => longest.has(gap))
}

/** Whether one of them is as long as that, or longer. */
function isWithin(gaps: readonly Gap[], from: number, to: number): boolean {
  const index = firstAfter(gaps, from)
  return [gaps[index - 1], gaps[index]].some((gap) => gap && gap.from <= from && gap.to >= to)
}

function lengthOf({ from, to }: Gap): number {
  return to - from
}

/** Where the first gap that begins at this time or later stands. */
function firstAfter(gaps: readonly Gap[], time: number): number {
  let low = 0
  let high = gaps.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (gaps[middle]!.from >= time) high = middle
    else low = middle + 1
  }
  return low
}
