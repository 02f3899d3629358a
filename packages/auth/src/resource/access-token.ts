/**
 * Verifies a JWT access token by an issuer's keys (RFC 9068): signature, algorithm, type, times and claims. Whether it is for this server is
 * checked by `findAudienceProblem`.
 *
 * Opaque tokens are verified by `introspection.ts`; caching is in `token-check.ts`.
 */

import { isJsonObject } from '@parley/mcp/json'
import { errors, jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose'

import { stringsOf, type JsonObject } from '../shared/json-document.ts'
import { parseUrl } from '../shared/url-rules.ts'
import { listOf, type ClaimRules, type IssuerRules } from './options.ts'
import { scopesOf } from './scopes.ts'
import { invalid, type Verification } from './token-check.ts'

/** Only keys that an issuer keeps to itself can prove that it signed. */
export const algorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/** Clocks differ. */
export const toleranceSeconds = 5

/** Verifies a JWT by an issuer's keys, and that it is an access token. For whom it is, is judged elsewhere. */
export async function verifyAccessToken(
  token: string,
  rules: IssuerRules,
  keys: JWTVerifyGetKey,
): Promise<Verification> {
  try {
    const { payload, protectedHeader } = await verifySignature(token, keys, {
      algorithms: [...algorithms],
      issuer: [...listOf(rules.issuer)],
      clockTolerance: toleranceSeconds,
      requiredClaims: ['exp', 'sub'],
    })
    const { acceptTyp = [accessTokenTyp], claims } = rules
    const problem = findShapeProblem(protectedHeader.typ, payload, acceptTyp)
    if (problem !== undefined) return invalid(problem)
    if (claims?.check?.(payload) === false)
      return invalid('it does not follow the rules of its issuer')
    return read(payload, claims)
  } catch (error) {
    const why = whyInvalid(error)
    if (why === undefined) throw error
    return invalid(why)
  }
}

/** Some issuers have several keys and tokens that do not say by which they were signed. */
async function verifySignature(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, keys, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, options)
      } catch (verifyError) {
        if (!(verifyError instanceof errors.JWSSignatureVerificationFailed)) throw verifyError
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function read(claims: JsonObject, rules: ClaimRules = {}): Verification {
  const { iss, sub, exp, aud, cnf } = claims
  if (typeof sub !== 'string' || sub === '') return invalid('it has no subject')
  const { scopes = 'scope', clientId = ['client_id', 'azp'] } = rules
  const jkt = isJsonObject(cnf) ? cnf['jkt'] : undefined
  if (cnf !== undefined && typeof jkt !== 'string') {
    return invalid('it is bound in a way that cannot be checked here')
  }
  const client = listOf(clientId)
    .map((name) => claims[name])
    .find((value) => typeof value === 'string')
  return {
    kind: 'valid',
    auth: {
      issuer: String(iss), // verified, as `exp`
      subject: sub,
      clientId: client ?? '',
      scopes: new Set(typeof scopes === 'function' ? scopes(claims) : scopesOf(claims[scopes])),
      audience: rules.audience?.(claims) ?? audienceOf(aud),
      expiresAt: Number(exp) * 1000,
      claims,
      ...(typeof jkt === 'string' && { confirmation: { jkt } }),
    },
  }
}

/** `aud` of a token, as a list. */
export function audienceOf(aud: unknown): readonly string[] {
  return typeof aud === 'string' ? [aud] : (stringsOf(aud) ?? [])
}

/** Undefined for what is not the token's fault. */
function whyInvalid(error: unknown): string | undefined {
  if (error instanceof errors.JWTExpired) return 'it has expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === 'exp' ? 'it has no expiry time' : `its claim ${error.claim} is wrong`
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not accepted'
  if (error instanceof errors.JWKSNoMatchingKey) return 'its key is unknown'
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature is wrong'
  const isMalformed =
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JOSENotSupported
  return isMalformed ? 'it is malformed' : undefined
}

/** RFC 9068: an access token says that it is one. */
const accessTokenTyp = 'at+jwt'

/** Why a token does not look like an access token, or undefined if it does. */
function findShapeProblem(
  typ: unknown,
  claims: JsonObject,
  acceptTyp: readonly string[],
): string | undefined {
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : 'jwt'
  const isAccepted = acceptTyp.some((accepted) => accepted.toLowerCase() === name)
  if (!isAccepted) return 'its typ is not that of an access token'
  if (name === accessTokenTyp) return undefined
  // A token without a type is distinguished from other tokens of the same issuer by claims that only those have.
  if (idTokenClaims.some((claim) => claim in claims)) return 'it is an ID token'
  if (isJsonObject(claims['events'])) return 'it is a logout token'
  return isOtherUse(claims) ? 'it is not an access token' : undefined
}

const idTokenClaims = ['at_hash', 'c_hash', 's_hash', 'nonce']

/** Claims by which some issuers say what a token is for. */
function isOtherUse({ token_use: use, typ }: JsonObject): boolean {
  const isOther = (value: unknown, ...access: readonly string[]) =>
    typeof value === 'string' && !access.includes(value.toLowerCase())
  return isOther(use, 'access', 'access_token') || isOther(typ, 'bearer', 'dpop', 'at+jwt')
}

/** The allowed audiences of tokens. */
export interface AudienceRules {
  /** One of these must be named. */
  readonly own: readonly string[]
  /** These may be. */
  readonly others: readonly string[]
}

/** The resource as metadata and tokens name it: without the slash a bare origin does not need. */
export function resourceId(resource: URL): string {
  const { href, origin } = resource
  return href === `${origin}/` ? origin : href
}

/** Why a token is not for this server, or undefined if it is. */
export function findAudienceProblem(
  named: readonly string[],
  { own, others }: AudienceRules,
): string | undefined {
  if (named.length === 0) return 'it has no audience'
  const ours = own.map(canonical)
  const allowed = new Set([...ours, ...others.map(canonical)])
  const found = named.map(canonical)
  if (!found.some((name) => ours.includes(name))) return 'it is issued for another server'
  if (!found.every((name) => allowed.has(name))) return 'it is issued for other servers as well'
  return undefined
}

/** Case of scheme and host, and the slash of a bare origin, make no difference; everything else does. */
function canonical(name: string): string {
  const parts = /^(https?):\/\/([^/?#@]+)(.*)$/i.exec(name)
  const url = parseUrl(name)
  if (parts === null || url === undefined) return name
  const [, , , rest = ''] = parts
  return `${url.origin}${rest === '/' ? '' : rest}`
}
