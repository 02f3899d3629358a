/** How long clients may cache a result. */
export interface CacheHint {
  /** Milliseconds; 0 means not at all. */
  readonly ttlMs: number
  /** Whether it may be cached for other users too. Not an access rule. @defaultValue 'private' */
  readonly scope?: 'public' | 'private' | undefined
}

/** The members of a result that carry the hint; none without a hint. */
export function cacheHints(hint: CacheHint | undefined): {
  readonly ttlMs?: number
  readonly cacheScope?: 'public' | 'private'
} {
  return hint ? { ttlMs: hint.ttlMs, cacheScope: hint.scope ?? 'private' } : {}
}

/** What is wrong with a hint; undefined if it is valid. */
export function cacheHintProblem(hint: CacheHint | undefined): string | undefined {
  return hint === undefined || (Number.isSafeInteger(hint.ttlMs) && hint.ttlMs >= 0)
    ? undefined
    : 'cache.ttlMs must be a whole number of milliseconds, 0 or more'
}

/** What is wrong with the settings of a list; undefined if they are valid. */
export function listProblem(hint: CacheHint | undefined, pageSize: number): string | undefined {
  return cacheHintProblem(hint) ?? (pageSize >= 1 ? undefined : 'pageSize must be at least 1')
}
