import { quantile } from './history.ts'
import type { Metrics } from './protocol.ts'

/** Counts what passes one place. Takes the same room however much that is. */
export interface Rates {
  begin(): void
  end(ms: number, isError: boolean): void
  metrics(now: number): Metrics
  /** When something began or ended last. */
  readonly usedAt: number
}

const seconds = 60
const rateSeconds = 10
const maxSamples = 1_000

export function createRates(now: () => number = () => performance.now()): Rates {
  const calls = Array.from({ length: seconds }, () => 0)
  const errors = Array.from({ length: seconds }, () => 0)
  const samples: { readonly at: number; readonly ms: number }[] = []
  let second = Math.floor(now() / 1_000)
  const firstSecond = second
  let position = 0
  let inFlight = 0
  let total = 0
  let failed = 0
  let usedAt = now()

  /** Empties the seconds in which nothing has happened. */
  function advance(at: number): void {
    const current = Math.floor(at / 1_000)
    const passed = Math.min(seconds, current - second)
    second = Math.max(second, current)
    for (let step = 0; step < passed; step += 1) {
      const index = (second - passed + 1 + step) % seconds
      calls[index] = 0
      errors[index] = 0
    }
  }

  function lastSeconds(list: readonly number[], count: number): readonly number[] {
    return Array.from({ length: count }, (_, at) => list[(second - count + 1 + at) % seconds] ?? 0)
  }

  return {
    get usedAt() {
      return usedAt
    },
    begin() {
      usedAt = now()
      inFlight += 1
    },
    end(ms, isError) {
      const at = now()
      usedAt = at
      advance(at)
      const index = second % seconds
      inFlight = Math.max(0, inFlight - 1)
      total += 1
      calls[index] = (calls[index] ?? 0) + 1
      if (isError) {
        failed += 1
        errors[index] = (errors[index] ?? 0) + 1
      }
      if (samples.length < maxSamples) samples.push({ at, ms })
      else samples[position] = { at, ms }
      position = (position + 1) % maxSamples
    },
    metrics(at) {
      advance(at)
      // Only complete seconds, so that the current one does not look like a drop.
      const span = Math.max(1, Math.min(rateSeconds, second - firstSecond))
      const rate = (list: readonly number[]): number =>
        lastSeconds(list, span + 1)
          .slice(0, -1)
          .reduce((sum, each) => sum + each, 0) / span
      const recent = samples
        .filter((sample) => at - sample.at <= seconds * 1_000)
        .map(({ ms }) => ms)
        .toSorted((item, two) => item - two)
      return {
        callsPerSecond: rate(calls),
        errorsPerSecond: rate(errors),
        inFlight,
        calls: total,
        errors: failed,
        ...(recent.length > 0 && { p50: quantile(recent, 0.5), p99: quantile(recent, 0.99) }),
      }
    },
  }
}

/** Of a place that nobody has passed. */
export const noMetrics: Metrics = {
  callsPerSecond: 0,
  errorsPerSecond: 0,
  inFlight: 0,
  calls: 0,
  errors: 0,
}
