import type { Clock } from './clock.ts'

/** Lets `burst` through at once and `perSecond` afterwards. */
export interface TokenBucket {
  /** True if this one may pass; counts it. */
  take(): boolean
  /** Milliseconds until `take` will succeed. */
  readonly waitMs: number
}

export function createTokenBucket(
  clock: Clock,
  { burst, perSecond }: { readonly burst: number; readonly perSecond: number },
): TokenBucket {
  let tokens = burst
  let refilledAt = clock.now()

  function refill(): void {
    const now = clock.now()
    tokens = Math.min(burst, tokens + ((now - refilledAt) / 1000) * perSecond)
    refilledAt = now
  }

  return {
    take() {
      refill()
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
    get waitMs() {
      refill()
      return tokens >= 1 ? 0 : ((1 - tokens) / perSecond) * 1000
    },
  }
}
