import { BoundedMap } from './bounded-map.ts'
import type { Clock } from './clock.ts'

/** How many at once, and how many a second after that. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Lets `burst` through at once and `perSecond` afterwards. */
export interface TokenBucket {
  /** True if this one may pass; counts it. */
  take(): boolean
  /** Milliseconds until `take` will succeed. */
  readonly waitMs: number
}

export function createTokenBucket(
  clock: Pick<Clock, 'now'>,
  { burst, perSecond }: Rate,
): TokenBucket {
  let tokens = burst
  let refilledAt = clock.now()

  function refill(): void {
    const now = clock.now()
    tokens = Math.min(burst, tokens + (Math.max(0, now - refilledAt) / 1000) * perSecond)
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

/** A rate for each of many keys. */
export interface TokenBuckets {
  /** True if one more may pass for this key; counts it. */
  take(key: string): boolean
  /** Milliseconds until `take` will succeed, 0 if it does now. Does not count. */
  waitMs(key: string): number
}

/** One bucket for each key. The least recently used of more than `maxKeys` is dropped, and begins anew. */
export function createTokenBuckets(
  clock: Pick<Clock, 'now'>,
  rate: Rate,
  maxKeys: number,
): TokenBuckets {
  const buckets = new BoundedMap<string, TokenBucket>(maxKeys)
  return {
    take(key) {
      const bucket = buckets.get(key) ?? createTokenBucket(clock, rate)
      buckets.set(key, bucket)
      return bucket.take()
    },
    waitMs: (key) => buckets.get(key)?.waitMs ?? 0,
  }
}

/** A rate that several processes keep together. Tokens are taken in portions, so that most uses ask nobody. */
export interface LeasedBucket {
  /** True if this one may pass; counts it. A promise if a portion has to be asked for. */
  take(): boolean | Promise<boolean>
  /** Milliseconds until `take` may succeed. */
  readonly waitMs: number
}

export interface LeasedBucketOptions {
  readonly burst: number
  readonly perSecond: number
  /** Takes up to this many tokens from what all processes share. */
  readonly ask: (wanted: number) => Promise<number>
  readonly onError: (error: unknown) => void
}

/** Part of what may be used at once, or in a second, that a process takes at a time. */
const portionShare = 0.1
/** For so long a process counts alone after the others could not be asked. */
const aloneMs = 1_000

export function createLeasedBucket(clock: Clock, options: LeasedBucketOptions): LeasedBucket {
  const { burst, perSecond, ask, onError } = options
  const portion = Math.max(1, Math.ceil(Math.max(burst, perSecond) * portionShare))
  const alone = createTokenBucket(clock, options)
  let tokens = 0
  let takenAt = clock.now()
  let emptyUntil = 0
  let aloneUntil = 0
  let requesting: Promise<void> | undefined

  async function refill(): Promise<void> {
    try {
      const granted = await ask(portion)
      tokens += granted
      takenAt = clock.now()
      if (granted === 0) emptyUntil = clock.now() + 1_000 / perSecond
    } catch (error) {
      aloneUntil = clock.now() + aloneMs
      onError(error)
    } finally {
      requesting = undefined
    }
  }

  /** Drops leased tokens that were not used for so long that the shared bucket has them again. */
  function dropStale(): void {
    if (clock.now() - takenAt > (burst / perSecond) * 1_000) tokens = 0
  }

  function takeLocal(): boolean {
    if (tokens < 1) return false
    tokens -= 1
    return true
  }

  return {
    take() {
      const now = clock.now()
      if (now < aloneUntil) return alone.take()
      dropStale()
      if (takeLocal()) return true
      if (now < emptyUntil) return false
      requesting ??= refill()
      return requesting.then(() => (clock.now() < aloneUntil ? alone.take() : takeLocal()))
    },
    get waitMs() {
      if (clock.now() < aloneUntil) return alone.waitMs
      return Math.max(0, emptyUntil - clock.now())
    },
  }
}
