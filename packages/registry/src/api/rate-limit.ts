import { createTokenBuckets } from '@parley/mcp/internal'

/** Requests of one caller in a burst, and for each minute. */
export interface RateLimit {
  /** At once, after a pause. */
  readonly burst: number
  /** After the burst, for each minute. */
  readonly perMinute: number
}

/** Callers that are remembered; the one seen longest ago is forgotten first. */
const maxCallers = 10_000

/** Counts a request: zero if it may be answered, else the seconds until it may. */
export function createRateLimit({ burst, perMinute }: RateLimit, now: () => number) {
  const buckets = createTokenBuckets({ now }, { burst, perSecond: perMinute / 60 }, maxCallers)
  return (caller: string): number => {
    if (buckets.take(caller)) return 0
    return Math.max(1, Math.ceil(buckets.waitMs(caller) / 1_000))
  }
}
