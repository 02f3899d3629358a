/** A load on one tool. Closed loop without `rate`: each of `concurrency` callers waits for its answer. */
export interface BenchPlan {
  readonly server: string
  readonly tool: string
  readonly args: { readonly [name: string]: unknown }
  readonly concurrency: number
  readonly durationMs: number
  /** Calls a second, sent whether or not earlier ones were answered; latency counts from when one was due. */
  readonly rate?: number | undefined
}

/** How a load went so far; the last one has `done`. */
export interface BenchReport {
  readonly id: string
  readonly plan: BenchPlan
  readonly elapsedMs: number
  readonly done: boolean
  /** How many were made and ended, well or not. */
  readonly calls: number
  /** How many were due at a fixed rate and never made, for want of a free caller. Latency counts them, nothing else does. */
  readonly unsent: number
  readonly errors: { readonly [code: string]: number }
  readonly perSecond: number
  readonly latency: {
    readonly min: number
    readonly mean: number
    readonly p50: number
    readonly p90: number
    readonly p95: number
    readonly p99: number
    readonly max: number
  }
  /** How many calls took, or waited, up to `upTo` milliseconds, and more than the one before. */
  readonly histogram: readonly { readonly upTo: number; readonly count: number }[]
  /** One for each second. */
  readonly series: readonly {
    readonly second: number
    readonly calls: number
    readonly errors: number
    readonly p50: number
    readonly p99: number
  }[]
}
