import type { Clock } from './clock.ts'

/** How long to wait before each new attempt at something that failed. */
export interface Backoff {
  /** The delay before the next attempt, which counts as made; `preferredMs` is what the peer would like it to be. */
  next(retryAfterMs?: number): number
  /** It works; after a minute of that the delays are short again. */
  succeeded(): void
  /** It got further before it failed: the next delay is short again, but the attempts still count. */
  progressed(): void
}

/** How long to wait between attempts. */
export interface BackoffOptions {
  /** Measures the minute in which attempts are counted. */
  readonly clock: Clock
  /** The first delay lies below this. */
  readonly minDelayMs: number
  /** No delay is longer. */
  readonly maxDelayMs: number
}

/**
 * Full jitter, so that many clients of one server do not come back at the same moment; and never more than twenty
 * attempts a minute, so that a server that accepts everybody and closes at once is not stormed.
 */
export function createBackoff({ clock, minDelayMs, maxDelayMs }: BackoffOptions): Backoff {
  const least = Math.min(minDelayMs, minWishMs)
  const recent: number[] = []
  let count = 0
  let healthySince: number | undefined

  return {
    next(retryAfterMs) {
      const now = clock.now()
      if (healthySince !== undefined && now - healthySince >= healthyMs) count = 0
      healthySince = undefined
      const most = Math.min(maxDelayMs, minDelayMs * 2 ** count)
      const own = minDelayMs + Math.random() * Math.max(0, most - minDelayMs)
      const wish =
        retryAfterMs === undefined ? undefined : Math.min(Math.max(retryAfterMs, least), maxWishMs)
      const wanted = wish !== undefined && count === 0 ? wish : Math.max(own, wish ?? 0)
      count += 1
      const earliest = recent.length < maxAttempts ? 0 : (recent.shift() ?? 0) + windowMs
      const delay = Math.max(wanted, earliest - now)
      recent.push(now + delay)
      return delay
    },
    succeeded() {
      healthySince ??= clock.now()
    },
    progressed() {
      count = 0
    },
  }
}

const healthyMs = 60_000
const windowMs = 60_000
const maxAttempts = 20
const minWishMs = 100
const maxWishMs = 300_000
