import type { AuthInfo } from '@parley/mcp'
import { BoundedMap } from '@parley/mcp/internal'

/**
 * Tokens that were found good. By the token itself: to hash it would take longer than everything else on its way, and
 * `subjectTokens` keeps it for as long anyway.
 */
export interface VerifiedTokens {
  /** Undefined if it must be verified (again). */
  get(token: string, resource: string): AuthInfo | undefined
  set(token: string, resource: string, auth: AuthInfo): void
  clear(): void
}

interface Entry {
  readonly auth: AuthInfo
  readonly resource: string
  readonly until: number
}

/** Remembers the tokens used last, each until it expires or its time is up. */
export function createVerifiedTokens(entries: number, ttlMs: number): VerifiedTokens {
  const byToken = new BoundedMap<string, Entry>(entries)

  return {
    get(token, resource) {
      const entry = byToken.get(token)
      if (entry === undefined || entry.resource !== resource) return undefined
      byToken.delete(token)
      if (entry.until <= Date.now()) return undefined
      byToken.set(token, entry) // used last
      return entry.auth
    },

    set(token, resource, auth) {
      byToken.set(token, { auth, resource, until: Math.min(auth.expiresAt, Date.now() + ttlMs) })
    },

    clear: () => byToken.clear(),
  }
}

/** For who wants every token verified every time. */
export const nothingVerified: VerifiedTokens = {
  get: () => undefined,
  set: () => undefined,
  clear: () => undefined,
}
