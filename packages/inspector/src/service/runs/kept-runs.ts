import type { CollectionRun } from '../../protocol/index.ts'

/** How many runs of one collection are kept. */
export const maxRunsKept = 30
/** All of them together, as text. */
export const maxHistoryBytes = 4 * 1024 * 1024
/** One answer; a larger one is left out, its size stays. */
export const maxReplyBytes = 16 * 1024

type Result = CollectionRun['results'][number]

/** A run without answers that are too large to keep. */
export function cutRun(run: CollectionRun): CollectionRun {
  return { ...run, results: run.results.map(cutResult) }
}

function cutResult(result: Result): Result {
  const { outcome, assertions } = result
  const { result: answer, error, ...rest } = outcome
  const bytes = sizeOf(answer ?? error?.data)
  const checked = assertions.map(({ seen, ...assertion }) =>
    seen === undefined || sizeOf(seen) > maxReplyBytes ? assertion : { ...assertion, seen },
  )
  if (bytes <= maxReplyBytes) return { ...result, assertions: checked }
  const shortError = error && { code: error.code, message: error.message }
  const outcomeLeft = { ...rest, ...(shortError && { error: shortError }) }
  return { ...result, assertions: checked, outcome: outcomeLeft, cutBytes: bytes }
}

/** The newest of each collection, and of all only what fits. Newest first. */
export function boundHistory(runs: readonly CollectionRun[]): readonly CollectionRun[] {
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  let bytes = 0
  return runs
    .toSorted((a, b) => b.at - a.at)
    .filter((run) => {
      const text = `${run.collection} ${run.at}`
      if (seen.has(text)) return false
      seen.add(text)
      const count = (counts.get(run.collection) ?? 0) + 1
      counts.set(run.collection, count)
      if (count > maxRunsKept) return false
      bytes += sizeOf(run)
      return bytes <= maxHistoryBytes
    })
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}
