/** One call: how long it took, and the name of its error. */
export interface Sample {
  readonly ms: number
  readonly error?: string | undefined
}

/** What a load measured. */
export interface LoadResult {
  readonly samples: readonly Sample[]
  /** How long calls waited that were due and never sent. */
  readonly unsent: readonly number[]
  readonly elapsedMs: number
}

/** What a load measured, in figures. */
export interface LoadReport {
  /** All that ended, by a result or an error. */
  readonly calls: number
  /** Those without an error. Latency is theirs, and that of calls that were never sent. */
  readonly answered: number
  readonly elapsedMs: number
  readonly perSecond: number
  /** How many ended in which error. */
  readonly errors: { readonly [code: string]: number }
  /** Calls that were due and never sent, because too many waited. */
  readonly unsent: number
  readonly latency: Latency
  /** How many calls took up to `upTo` milliseconds, and more than the one before. */
  readonly histogram: readonly { readonly upTo: number; readonly count: number }[]
}

/** In milliseconds. */
export interface Latency {
  readonly min: number
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
  readonly p999: number
  readonly max: number
}

/** Counts what was measured. */
export function reportOf({ samples, unsent, elapsedMs }: LoadResult): LoadReport {
  const succeeded = samples.filter(({ error }) => error === undefined)
  const times = Float64Array.from([...succeeded.map(({ ms }) => ms), ...unsent]).toSorted()
  const errors = new Map<string, number>()
  for (const { error } of samples) {
    if (error !== undefined) errors.set(error, (errors.get(error) ?? 0) + 1)
  }
  return {
    calls: samples.length,
    answered: succeeded.length,
    elapsedMs,
    perSecond: succeeded.length / (elapsedMs / 1_000),
    errors: Object.fromEntries(errors),
    unsent: unsent.length,
    latency: latencyOf(times),
    histogram: histogramOf(times),
  }
}

function latencyOf(sorted: Float64Array): Latency {
  const sum = sorted.reduce((total, ms) => total + ms, 0)
  return {
    min: percentile(sorted, 0),
    mean: sorted.length === 0 ? 0 : sum / sorted.length,
    p50: percentile(sorted, 50),
    p90: percentile(sorted, 90),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
    p999: percentile(sorted, 99.9),
    max: percentile(sorted, 100),
  }
}

/** The smallest value that at least so many per cent do not exceed. */
export function percentile(sorted: ArrayLike<number>, percent: number): number {
  const at = Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)
  return sorted[at] ?? 0
}

/** Steps of 1, 2 and 5: few enough to read, whatever the range. */
function histogramOf(sorted: Float64Array): LoadReport['histogram'] {
  const most = percentile(sorted, 100)
  const first = percentile(sorted, 0)
  const buckets: { upTo: number; count: number }[] = []
  let at = 0
  for (const upTo of steps()) {
    let count = 0
    while (at < sorted.length && (sorted[at] ?? 0) <= upTo) {
      at += 1
      count += 1
    }
    if (upTo >= first) buckets.push({ upTo, count })
    if (upTo >= most) break
  }
  return sorted.length === 0 ? [] : buckets
}

function* steps(): Generator<number> {
  for (let power = -3; power < 8; power += 1) {
    for (const digit of [1, 2, 5]) yield Number(`${digit}e${power}`)
  }
}
