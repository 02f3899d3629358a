import type { AuthInfo } from '@parley/mcp'

/** Tokens that were found good, by their hash. */
export interface VerifiedTokens {
  /** Undefined if it must be verified (again). */
  get(hash: string, resource: string): AuthInfo | undefined
  set(hash: string, resource: string, auth: AuthInfo): void
  clear(): void
}

interface Entry {
  readonly auth: AuthInfo
  readonly resource: string
  readonly until: number
}

/** Remembers the tokens used last, each until it expires or its time is up. */
export function createVerifiedTokens(entries: number, ttlMs: number): VerifiedTokens {
  const byHash = new Map<string, Entry>()

  return {
    get(hash, resource) {
      const entry = byHash.get(hash)
      if (entry === undefined || entry.resource !== resource) return undefined
      byHash.delete(hash)
      if (entry.until <= Date.now()) return undefined
      byHash.set(hash, entry) // used last
      return entry.auth
    },

    set(hash, resource, auth) {
      byHash.delete(hash)
      byHash.set(hash, { auth, resource, until: Math.min(auth.expiresAt, Date.now() + ttlMs) })
      if (byHash.size <= entries) return
      const [oldest] = byHash.keys()
      if (oldest !== undefined) byHash.delete(oldest)
    },

    clear: () => byHash.clear(),
  }
}

/** For who wants every token verified every time. */
export const nothingVerified: VerifiedTokens = {
  get: () => undefined,
  set: () => undefined,
  clear: () => undefined,
}
