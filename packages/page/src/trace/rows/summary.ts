import { isFailure, latencyOf, statusOf, type Row } from './rows.ts'

/** Figures of the rows in view. */
export interface Summary {
  readonly rows: number
  readonly answered: number
  readonly errors: number
  readonly p50: number | undefined
  readonly p95: number | undefined
  readonly p99: number | undefined
  /** The first and the last moment. */
  readonly from: number
  readonly to: number
  /** How many began in each equal part of that time, and how many of those failed. */
  readonly counts: Uint32Array
  readonly failures: Uint32Array
}

/** Percentiles and rate, in one pass and one sort. */
export function summarize(rows: readonly Row[], parts: number): Summary {
  const durations = new Float64Array(rows.length)
  const counts = new Uint32Array(parts)
  const failures = new Uint32Array(parts)
  const from = rows[0]?.entry.time ?? 0
  const to = Math.max(from + 1, lastTime(rows))
  let answered = 0
  let errors = 0
  for (const row of rows) {
    const ms = latencyOf(row)
    if (ms !== undefined) durations[answered++] = ms
    const isError = isFailure(statusOf(row))
    if (isError) errors++
    const part = Math.min(parts - 1, Math.floor(((row.entry.time - from) / (to - from)) * parts))
    if (part < 0) continue
    counts[part]!++
    if (isError) failures[part]!++
  }
  const sorted = durations.subarray(0, answered).toSorted()
  return {
    rows: rows.length,
    answered,
    errors,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    from,
    to,
    counts,
    failures,
  }
}

/** The smallest value that so large a share of all does not exceed. */
export function percentile(sorted: Float64Array, share: number): number | undefined {
  if (sorted.length === 0) return undefined
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]
}

function lastTime(rows: readonly Row[]): number {
  const last = rows.at(-1)
  return last ? (last.answer ?? last.entry).time : 0
}
