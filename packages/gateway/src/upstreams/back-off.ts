/** How long to wait before each new attempt; with jitter, so that servers that fell together do not rise together. */
export interface BackOff {
  /** Failures in a row so far. */
  readonly attempt: number
  /** The delay before the next attempt, after one that failed. */
  next(minMs?: number): number
  /** It works again. */
  reset(): void
}

/** Limits of the delay. */
export interface BackOffLimits {
  /** The first delay. */
  readonly minMs: number
  /** The longest delay. */
  readonly maxMs: number
  /** How long calls wait for a server at an address that has just gone away, as for a deploy. @defaultValue 5_000 */
  readonly patienceMs?: number | undefined
}

export function createBackOff({ minMs, maxMs }: BackOffLimits): BackOff {
  let attempt = 0
  return {
    get attempt() {
      return attempt
    },
    next(leastMs = 0) {
      const most = Math.min(maxMs, minMs * 2 ** attempt)
      attempt += 1
      return Math.max(leastMs, minMs, most * (0.5 + Math.random() / 2))
    },
    reset() {
      attempt = 0
    },
  }
}
