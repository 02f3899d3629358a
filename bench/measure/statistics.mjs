/** What one round yields: CPU per operation, latency percentiles in microseconds, operations per second. */
export function sampleOf({ cpuMicros, latencies, seconds }) {
  const sorted = latencies.toSorted()
  return {
    cpuMicros: cpuMicros / latencies.length,
    p50Micros: percentile(sorted, 0.5),
    p99Micros: percentile(sorted, 0.99),
    perSecond: latencies.length / seconds,
  }
}

/** The median of each field over all rounds, and its range. */
export function summarize(samples) {
  const fields = Object.keys(samples[0])
  const over = (summary) =>
    Object.fromEntries(
      fields.map((field) => [field, summary(samples.map((sample) => sample[field]))]),
    )
  const ranges = over((values) => [Math.min(...values), Math.max(...values)])
  return { ...over(median), ranges, rounds: samples.length }
}

/** The middle value; of an even number, the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

function percentile(sorted, fraction) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))]
}
