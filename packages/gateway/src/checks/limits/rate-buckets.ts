/** How many requests at once, and how many a second after that. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** A rate for each of many names. */
export interface RateBuckets {
  /** Milliseconds until one more is allowed, 0 if it is now. Does not count. */
  waitMs(name: string): number
  count(name: string): void
}

/** Names beyond this are forgotten, the least recently used first. A forgotten one begins anew. */
const maxNames = 10_000

/** One bucket for each name, a bounded number of them. */
export function createRateBuckets({ burst, perSecond }: Rate, now: () => number): RateBuckets {
  const buckets = new Map<string, { tokens: number; at: number }>()

  function filled(name: string): { tokens: number; at: number } {
    const at = now()
    const bucket = buckets.get(name)
    if (bucket === undefined) return { tokens: burst, at }
    const earned = (Math.max(0, at - bucket.at) / 1_000) * perSecond
    return { tokens: Math.min(burst, bucket.tokens + earned), at }
  }

  return {
    waitMs(name) {
      const { tokens } = filled(name)
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1_000)
    },
    count(name) {
      const { tokens, at } = filled(name)
      buckets.delete(name)
      buckets.set(name, { tokens: tokens - 1, at })
      const [oldest] = buckets.keys()
      if (buckets.size > maxNames && oldest !== undefined) buckets.delete(oldest)
    },
  }
}
