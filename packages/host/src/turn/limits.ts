/** Bounds of a turn. */
export interface HostLimits {
  /** Requests to the model. @defaultValue 25 */
  readonly requestsPerTurn?: number | undefined
  /** @defaultValue 100 */
  readonly callsPerTurn?: number | undefined
  /** Calls of all conversations within a minute. Further calls are rejected, and the model is asked to wait. @defaultValue 120 */
  readonly callsPerMinute?: number | undefined
  /** Calls at the same time. @defaultValue 4 */
  readonly parallelCalls?: number | undefined
  /** The time of a turn, without the time in which the user is asked. @defaultValue 1_800_000 */
  readonly turnMs?: number | undefined
  /** Input and output of all requests, as the provider counts or else as estimated. @defaultValue no limit */
  readonly tokensPerTurn?: number | undefined
  /** Silence of a server during a call. Progress restarts it; it stands still while the user is asked. @defaultValue 60_000 */
  readonly callIdleMs?: number | undefined
  /** A whole call, asking not counted. @defaultValue 3_600_000 */
  readonly callTotalMs?: number | undefined
  /** Results with longer text are kept, and the model gets a part. @defaultValue 24_000 */
  readonly resultCharacters?: number | undefined
  /** The total size of stored results; the oldest are dropped. @defaultValue 67_108_864 */
  readonly keptCharacters?: number | undefined
}

export type ResolvedLimits = { readonly [Name in keyof HostLimits]-?: number }

const defaults: ResolvedLimits = {
  requestsPerTurn: 25,
  callsPerTurn: 100,
  callsPerMinute: 120,
  parallelCalls: 4,
  turnMs: 1_800_000,
  tokensPerTurn: Number.POSITIVE_INFINITY,
  callIdleMs: 60_000,
  callTotalMs: 3_600_000,
  resultCharacters: 24_000,
  keptCharacters: 67_108_864,
}

/** The limits with what was left out. */
export function resolveLimits(limits: HostLimits = {}): ResolvedLimits {
  const entries = Object.entries(limits).filter(([, value]) => value !== undefined)
  return { ...defaults, ...Object.fromEntries(entries) }
}

/** Counts what happened within the last minute. */
export interface CallRate {
  /** 0 if there is room, which is taken; else how many milliseconds until there is. */
  take(): number
}

export function createCallRate(perMinute: number, now: () => number = Date.now): CallRate {
  const times: number[] = []
  return {
    take() {
      const at = now()
      while (times[0] !== undefined && times[0] <= at - 60_000) times.shift()
      if (times.length >= perMinute) return (times[0] ?? at) + 60_000 - at
      times.push(at)
      return 0
    },
  }
}
