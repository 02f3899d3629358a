import type { BenchPlan, BenchReport } from '../../protocol/index.ts'
import { createHistogram, type Histogram } from './histogram.ts'

/** What was measured so far. */
export interface Measured {
  add(ms: number, error: string | undefined): void
  /** A call that was due for so long and never made: latency shows it, the rate does not. */
  addUnsent(ms: number): void
  report(done: boolean): BenchReport
}

interface Second {
  readonly histogram: Histogram
  errors: number
}

/** Counts from now on. */
export function createMeasured(id: string, plan: BenchPlan): Measured {
  const start = performance.now()
  const all = createHistogram()
  const errors: { [code: string]: number } = {}
  const seconds: Second[] = []
  let calls = 0
  let unsent = 0
  let endedMs: number | undefined

  return {
    addUnsent(ms) {
      all.add(ms)
      unsent += 1
    },
    add(ms, error) {
      all.add(ms)
      calls += 1
      const index = Math.floor((performance.now() - start) / 1000)
      while (seconds.length <= index) seconds.push({ histogram: createHistogram(), errors: 0 })
      const second = seconds[index]
      second?.histogram.add(ms)
      if (error === undefined) return
      errors[error] = (errors[error] ?? 0) + 1
      if (second) second.errors += 1
    },
    report(done) {
      const elapsedMs = endedMs ?? performance.now() - start
      if (done) endedMs = elapsedMs
      return {
        id,
        plan,
        elapsedMs,
        done,
        calls,
        unsent,
        errors: { ...errors },
        perSecond: elapsedMs > 0 ? (calls * 1000) / elapsedMs : 0,
        latency: all.latency(),
        histogram: all.buckets(),
        series: seconds.map(({ histogram, errors: failed }, second) => ({
          second,
          calls: histogram.count,
          errors: failed,
          p50: histogram.at(0.5),
          p99: histogram.at(0.99),
        })),
      }
    },
  }
}
