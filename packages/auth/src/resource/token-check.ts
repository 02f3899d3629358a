import type { AuthInfo } from '@parley/mcp'
import { BoundedMap } from '@parley/mcp/internal'

import type { VerifyToken } from './issuer-verifier.ts'
import type { OAuthGuardOptions, VerifierRequest } from './options.ts'
import { withImplied } from './scopes.ts'
import { subjectTokens } from './subject-tokens.ts'
import { providerTokens, type FindProviderToken } from './upstream/provider-token.ts'

/** Verifies a token; synchronous if it was verified a moment ago. */
export type TokenCheck = (
  token: string,
  request: VerifierRequest,
) => Verification | Promise<Verification>

/** Remembers what was verified, and verifies a token once however many requests bring it at the same time. */
export function createTokenCheck(
  options: OAuthGuardOptions,
  createVerifier: (onKeysChanged: () => void) => VerifyToken,
): TokenCheck {
  const { cache = { entries: 10_000, ttlMs: 60_000 }, scopeImplies = {}, dpop } = options
  const existing = cache ? createVerifiedTokens(cache.entries, cache.ttlMs) : nothingVerified
  const running = new Map<string, Promise<Verification>>()
  let keys = 0
  const verify = createVerifier(() => {
    keys += 1
    existing.clear()
  })

  async function verifyNow(token: string, request: VerifierRequest) {
    const before = keys
    const verified = await verify(token, request)
    if (verified.kind === 'invalid') return verified
    const auth = complete(verified.auth)
    subjectTokens.set(auth, token)
    if (verified.upstream) providerTokens.set(auth, verified.upstream)
    if (keys === before) existing.set(token, request.resource.href, auth)
    return { kind: 'valid', auth } as const
  }

  /** Returns the caller, frozen for all readers: one handler cannot change another's rights. */
  function complete({ confirmation, ...auth }: AuthInfo): AuthInfo {
    return frozenCopy({
      ...auth,
      scopes: frozenSet(withImplied(auth.scopes, scopeImplies)),
      ...(confirmation && dpop !== 'off' && { confirmation }),
    })
  }

  return (token, request) => {
    const auth = existing.get(token, request.resource.href)
    if (auth) return { kind: 'valid', auth }
    const key = `${token} ${request.resource.href}`
    const other = running.get(key)
    if (other && cache) return other
    const own = verifyNow(token, request).finally(() => running.delete(key))
    running.set(key, own)
    return own
  }
}

/** The result of a verification: the caller, or why the token is invalid. Sent to the caller, so it contains nothing of the token. */
export type Verification =
  | {
      readonly kind: 'valid'
      readonly auth: AuthInfo
      /** The tokens of the issuer's identity providers, if it signs people in with others. */
      readonly upstream?: FindProviderToken | undefined
    }
  | { readonly kind: 'invalid'; readonly why: string }

export function invalid(why: string): Verification {
  return { kind: 'invalid', why }
}

/** A copy of plain objects and arrays, all the way down, that nobody can change. Anything else is taken as it is. */
function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T // as many of the same
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).map(([key, member]) => [key, frozenCopy(member)])
  return Object.freeze(Object.fromEntries(entries)) as T // the same members
}

/** A set that nobody can change. */
function frozenSet<T>(values: Iterable<T>): ReadonlySet<T> {
  const set = new Set(values)
  for (const name of ['add', 'delete', 'clear']) Object.defineProperty(set, name, { value: reject })
  return Object.freeze(set)
}

function reject(): never {
  throw new TypeError('what a token stands for cannot be changed: it is shared by all its requests')
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

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
const nothingVerified: VerifiedTokens = {
  get: () => undefined,
  set: () => undefined,
  clear: () => undefined,
}
