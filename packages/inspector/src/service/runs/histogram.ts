import type { BenchReport } from '../../protocol/index.ts'

/** Counts of how long things took, in buckets that grow by a twentieth: percentiles are right to within five percent. */
export interface Histogram {
  readonly count: number
  add(ms: number): void
  at(share: number): number
  latency(): BenchReport['latency']
  buckets(): BenchReport['histogram']
}

const smallestMs = 0.01
const growth = 1.05
const logGrowth = Math.log(growth)

export function createHistogram(): Histogram {
  const counts: number[] = []
  let count = 0
  let sum = 0
  let min = Infinity
  let max = 0

  function upTo(index: number): number {
    return smallestMs * growth ** index
  }

  function at(share: number): number {
    if (count === 0) return 0
    const wanted = Math.max(1, Math.ceil(count * share))
    let seen = 0
    for (const [index, here] of counts.entries()) {
      seen += here ?? 0
      if (seen >= wanted) return Math.min(max, Math.max(min, upTo(index)))
    }
    return max
  }

  return {
    get count() {
      return count
    },
    at,
    add(ms) {
      const index = ms <= smallestMs ? 0 : Math.ceil(Math.log(ms / smallestMs) / logGrowth)
      while (counts.length <= index) counts.push(0)
      counts[index] = (counts[index] ?? 0) + 1
      count += 1
      sum += ms
      min = Math.min(min, ms)
      max = Math.max(max, ms)
    },
    latency: () => ({
      min: count === 0 ? 0 : min,
      mean: count === 0 ? 0 : sum / count,
      p50: at(0.5),
      p90: at(0.9),
      p95: at(0.95),
      p99: at(0.99),
      max,
    }),
    buckets: () =>
      counts
        .map((here, index) => ({ upTo: upTo(index), count: here }))
        .filter(({ count: here }) => here > 0),
  }
}
