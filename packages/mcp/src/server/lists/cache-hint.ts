/** How long callers may keep an answer. */
export interface CacheHint {
  /** Milliseconds; 0 is not at all. */
  readonly ttlMs: number
  /** Whether it may be kept for other callers too. Not an access rule. @defaultValue 'private' */
  readonly scope?: 'public' | 'private' | undefined
}

/** As results carry it; nothing where nothing was said. */
export function cacheHints(hint: CacheHint | undefined): {
  readonly ttlMs?: number
  readonly cacheScope?: 'public' | 'private'
} {
  return hint ? { ttlMs: hint.ttlMs, cacheScope: hint.scope ?? 'private' } : {}
}

/** Says what is wrong with a hint, or nothing. */
export function cacheHintProblem(hint: CacheHint | undefined): string | undefined {
  return hint === undefined || (Number.isSafeInteger(hint.ttlMs) && hint.ttlMs >= 0)
    ? undefined
    : 'cache.ttlMs must be a whole number of milliseconds, 0 or more'
}
