/**
 * Checks that the sender of a bound token has its key (DPoP, RFC 9449), and that a proof is used once.
 *
 * `OnceStore` makes the replay check hold for all processes of a cluster; without it, it holds for this process.
 */

import type { AuthInfo } from '@parley/mcp'
import { base64url, calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from 'jose'

import { parseUrl } from '../shared/url-rules.ts'
import { algorithms, toleranceSeconds } from './access-token.ts'
import type { DpopUse, VerifierRequest } from './options.ts'
import type { Rejection } from './protect.ts'

/** Why the sender may not use this token, or undefined if it may. */
export type SenderProblem = Pick<Rejection, 'error' | 'why' | 'scheme'>
export type SenderCheck = (
  scheme: 'bearer' | 'dpop',
  auth: AuthInfo,
  token: string,
  request: VerifierRequest,
) => SenderProblem | undefined | Promise<SenderProblem | undefined>

/** A token bound to a key is only good in the hands of who has the key (RFC 9449). */
export function createSenderCheck(dpop: DpopUse, once?: OnceStore): SenderCheck {
  const replayed = once === undefined ? createReplayed() : replayedAnywhere(once)

  async function proves(
    jkt: string,
    token: string,
    { method, target, resource, header }: VerifierRequest,
  ): Promise<SenderProblem | undefined> {
    const [path = '/'] = target.split('?', 1)
    const why = await findProofProblem(header('dpop'), {
      method,
      urls: [`${resource.origin}${resource.pathname}`, `${resource.origin}${path}`],
      tokenHash: await sha256(token),
      jkt,
      replayed,
    })
    return why === undefined ? undefined : { error: 'invalid_dpop_proof', why, scheme: 'dpop' }
  }

  return (scheme, { confirmation }, token, request) => {
    if (dpop === 'off') return scheme === 'bearer' ? undefined : rejected('DPoP is not used here')
    if (confirmation && scheme === 'dpop') return proves(confirmation.jkt, token, request)
    if (confirmation) return rejected('the token is bound to a key and needs a proof', 'dpop')
    if (scheme === 'bearer' && dpop === 'optional') return undefined
    return rejected('the token is not bound to a key', 'dpop')
  }
}

function rejected(why: string, scheme: 'bearer' | 'dpop' = 'bearer'): SenderProblem {
  return { error: 'invalid_token', why, scheme }
}

/** SHA-256 in base64url, by what every runtime has. */
export async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64url.encode(new Uint8Array(bytes))
}

/** Where what may be used once is remembered. `cluster.once` of `@parley/cluster` is one that all processes share. */
export interface OnceStore {
  /** True the first time; false for as long as it is remembered. */
  add(key: string, keepMs: number): Promise<boolean>
}

/** Remembers what was used, for as long as it could be used again. */
interface Replayed {
  /** False if it was used before. A promise where other processes may have used it. */
  use(id: string, until: number): boolean | Promise<boolean>
}

/** For all processes. Rejects while that cannot be known: the proof is not accepted then. */
function replayedAnywhere(once: OnceStore): Replayed {
  return {
    use(id, until) {
      const keepMs = until - Date.now()
      return keepMs > 0 && once.add(`dpop ${id}`, keepMs)
    },
  }
}

/** In this process only; when there is no room the oldest are forgotten. */
export function createReplayed(entries = 100_000): Replayed {
  const used = new Map<string, number>()

  function freeCapacity(now: number): void {
    for (const [id, until] of used) {
      if (until > now && used.size < entries) return
      used.delete(id)
    }
  }

  return {
    use(id, until) {
      const now = Date.now()
      const before = used.get(id)
      if (before !== undefined && before > now) return false
      freeCapacity(now)
      used.delete(id)
      used.set(id, until)
      return true
    },
  }
}

/** The claims that a proof must have. */
export interface ProofRules {
  readonly method: string
  /** Addresses the request may have been made to, without query. */
  readonly urls: readonly string[]
  /** SHA-256 of the token, base64url. */
  readonly tokenHash: string
  /** The key the token is bound to. */
  readonly jkt: string
  readonly replayed: Replayed
}

/** A proof is good for so long after it was made. */
const ageSeconds = 60

/** Why a proof does not prove that its sender has the token's key (RFC 9449 section 4.3), or undefined if it does. */
async function findProofProblem(
  proof: string | undefined,
  rules: ProofRules,
): Promise<string | undefined> {
  if (proof === undefined) return 'the proof is missing'
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...algorithms],
      clockTolerance: toleranceSeconds,
      maxTokenAge: ageSeconds,
      requiredClaims: ['iat', 'jti', 'htm', 'htu', 'ath'],
    })
    const { jti, htm, htu, ath, iat = 0 } = payload
    const { jwk } = protectedHeader
    if (jwk === undefined || (await calculateJwkThumbprint(jwk)) !== rules.jkt) {
      return 'the proof is by another key than the token is bound to'
    }
    if (htm !== rules.method) return 'the proof is for another method'
    if (!rules.urls.includes(withoutQuery(htu))) return 'the proof is for another address'
    if (ath !== rules.tokenHash) return 'the proof is for another token'
    if (typeof jti !== 'string' || jti === '' || jti.length > 256)
      return 'the proof has no usable jti'
    const until = (iat + ageSeconds + toleranceSeconds) * 1000
    return (await rules.replayed.use(`${rules.jkt} ${jti}`, until))
      ? undefined
      : 'the proof was used before'
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      return 'the proof is not valid'
    throw error
  }
}

function withoutQuery(htu: unknown): string {
  const url = parseUrl(htu)
  return url === undefined ? '' : `${url.origin}${url.pathname}`
}
