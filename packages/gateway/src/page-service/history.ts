import type { History, HistorySpan } from './protocol.ts'

/** Counts calls in steps of time. Takes the same room however many they are. */
export interface Counted {
  add(at: number, ms: number, isError: boolean): void
  /** All steps up to now, oldest first. */
  read(at: number): History
}

/** Steps of each span, and how long one is. */
const spans: Readonly<
  Record<HistorySpan, { readonly steps: number; readonly stepSeconds: number }>
> = {
  quarter: { steps: 60, stepSeconds: 15 },
  hour: { steps: 60, stepSeconds: 60 },
  day: { steps: 72, stepSeconds: 1_200 },
}
const maxStepSamples = 200

/** Begins to count for a span; times are those of one clock, in milliseconds. */
export function createHistory(span: HistorySpan): Counted {
  const { steps, stepSeconds } = spans[span]
  /** By its number since the clock began; older ones are dropped. */
  const history = new Map<number, { calls: number; errors: number; ms: number[] }>()

  return {
    add(at, ms, isError) {
      const step = Math.floor(at / 1_000 / stepSeconds)
      let kept = history.get(step)
      if (kept === undefined) {
        kept = { calls: 0, errors: 0, ms: [] }
        history.set(step, kept)
        for (const old of history.keys()) {
          if (old <= step - steps) history.delete(old)
        }
      }
      kept.calls += 1
      if (isError) kept.errors += 1
      // The newest take the places of the first: enough for one number.
      kept.ms[kept.calls % maxStepSamples] = ms
    },
    read(at) {
      const last = Math.floor(at / 1_000 / stepSeconds)
      const kept = Array.from({ length: steps }, (_, index) =>
        history.get(last - steps + 1 + index),
      )
      return {
        stepSeconds,
        calls: kept.map((step) => step?.calls ?? 0),
        errors: kept.map((step) => step?.errors ?? 0),
        p99: kept.map((step) =>
          step === undefined
            ? null
            : quantile(
                step.ms.filter(Number.isFinite).toSorted((one, two) => one - two),
                0.99,
              ),
        ),
      }
    },
  }
}

/** Such a share of the values is smaller. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
