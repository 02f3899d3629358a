import type { AuthInfo } from '@parley/mcp'

import { frozenCopy, frozenSet } from './frozen.ts'
import type { VerifyToken } from './issuer-verifier.ts'
import type { ProtectOptions, VerifierRequest } from './options.ts'
import { withImplied } from './scopes.ts'
import { subjectTokens } from './subject-tokens.ts'
import { providerTokens } from './upstream/provider-token.ts'
import type { Verification } from './verification.ts'
import { createVerifiedTokens, nothingVerified } from './verified-tokens.ts'

/** Whose token it is; at once for one that was verified a moment ago. */
export type TokenCheck = (
  token: string,
  request: VerifierRequest,
) => Verification | Promise<Verification>

/** Remembers what was verified, and verifies a token once however many requests bring it at the same time. */
export function createTokenCheck(
  options: ProtectOptions,
  createVerifier: (onKeysChanged: () => void) => VerifyToken,
): TokenCheck {
  const { cache = { entries: 10_000, ttlMs: 60_000 }, scopeImplies = {}, dpop } = options
  const known = cache ? createVerifiedTokens(cache.entries, cache.ttlMs) : nothingVerified
  const running = new Map<string, Promise<Verification>>()
  let keys = 0
  const verify = createVerifier(() => {
    keys += 1
    known.clear()
  })

  async function verifyNow(token: string, request: VerifierRequest) {
    const before = keys
    const verified = await verify(token, request)
    if (verified.kind === 'invalid') return verified
    const auth = complete(verified.auth)
    subjectTokens.set(auth, token)
    if (verified.upstream) providerTokens.set(auth, verified.upstream)
    if (keys === before) known.set(token, request.resource.href, auth)
    return { kind: 'valid', auth } as const
  }

  /** As everybody sees the caller from here on; what one handler does to it must not change another's rights. */
  function complete({ confirmation, ...auth }: AuthInfo): AuthInfo {
    return frozenCopy({
      ...auth,
      scopes: frozenSet(withImplied(auth.scopes, scopeImplies)),
      ...(confirmation && dpop !== 'off' && { confirmation }),
    })
  }

  return (token, request) => {
    const auth = known.get(token, request.resource.href)
    if (auth) return { kind: 'valid', auth }
    const key = `${token} ${request.resource.href}`
    const other = running.get(key)
    if (other && cache) return other
    const own = verifyNow(token, request).finally(() => running.delete(key))
    running.set(key, own)
    return own
  }
}
