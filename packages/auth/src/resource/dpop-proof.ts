import { calculateJwkThumbprint, EmbeddedJWK, errors, jwtVerify } from 'jose'

import { parseUrl } from '../shared/url-rules.ts'
import { algorithms, toleranceSeconds } from './access-token.ts'
import type { Replayed } from './replayed.ts'

/** What a proof has to prove. */
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
export async function findProofFault(
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
