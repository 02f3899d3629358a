import { BoundedMap } from '@parley/mcp/internal'

/** Lets so many through in a span of time. */
export interface RateLimit {
  /** Milliseconds to wait, or 0 if there is room. Does not count. */
  waitMs(key: string): number
  count(key: string): void
  forget(key: string): void
}

/** Counts in windows of fixed length, for each key. Holds a bounded number of keys; the oldest are forgotten. */
export function createRateLimit(options: {
  readonly max: number
  readonly windowMs: number
  readonly now: () => number
  readonly maxKeys?: number | undefined
}): RateLimit {
  const { max, windowMs, now, maxKeys = 10_000 } = options
  const windows = new BoundedMap<string, { readonly endsAt: number; used: number }>(maxKeys)

  function current(key: string) {
    const window = windows.get(key)
    return window !== undefined && window.endsAt > now() ? window : undefined
  }

  return {
    waitMs(key) {
      const window = current(key)
      return window === undefined || window.used < max ? 0 : window.endsAt - now()
    },
    count(key) {
      const window = current(key)
      if (window !== undefined) {
        window.used += 1
        return
      }
      windows.set(key, { endsAt: now() + windowMs, used: 1 })
    },
    forget(key) {
      windows.delete(key)
    },
  }
}
