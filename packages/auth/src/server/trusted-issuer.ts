import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'

import { isJsonObject, parseJsonObject, type JsonObject } from '../shared/json.ts'
import { parseUrl } from '../shared/url-rules.ts'

/** Somebody else whose word about a person or a program is taken for a token of ours. */
export interface TrustedIssuer {
  readonly issuer: string
  /** `enterprise`: an identity provider's word about an employee (ID-JAG). `workload`: a platform's word about a program. */
  readonly kind: 'enterprise' | 'workload'
  /** @defaultValue from its metadata */
  readonly jwksUri?: string | undefined
  /** The most that its word gets. */
  readonly scopes: readonly string[]
  /** Who that is here; undefined refuses. @defaultValue the issuer and its `sub`, which is nobody who signs in here */
  readonly subject?: ((claims: JsonObject) => string | undefined) | undefined
}

/** What a trusted issuer said. */
export interface Assertion {
  readonly from: TrustedIssuer
  readonly subject: string
  readonly claims: JWTPayload
}

const algorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519']
const keysMs = 300_000

/** Checks assertions; throws with the reason if one is not good. */
export function createAssertionCheck(options: {
  readonly trust: readonly TrustedIssuer[]
  /** Us, in the way that assertions may name us. */
  readonly audience: readonly string[]
  readonly fetch: typeof fetch
  readonly now: () => number
}): (assertion: string) => Promise<Assertion> {
  const { trust, audience, now } = options
  const known = new Map<string, { readonly keys: JSONWebKeySet; readonly until: number }>()

  async function keysOf(from: TrustedIssuer): Promise<JSONWebKeySet> {
    const cached = known.get(from.issuer)
    if (cached !== undefined && cached.until > now()) return cached.keys
    const uri = from.jwksUri ?? (await findKeys(from.issuer, options.fetch))
    const keys = await fetchJson(uri, options.fetch)
    if (!isKeySet(keys)) throw new Error(`no keys at ${uri}`)
    known.set(from.issuer, { keys, until: now() + keysMs })
    return keys
  }

  return async (assertion) => {
    const named = issuerOf(assertion)
    const from = trust.find(({ issuer }) => issuer === named)
    if (from === undefined) throw new Error('its issuer is not trusted')
    const { payload: claims } = await jwtVerify(assertion, createLocalJWKSet(await keysOf(from)), {
      issuer: from.issuer,
      audience: [...audience],
      algorithms,
      requiredClaims: ['exp', 'iat', 'sub', 'aud', ...(from.kind === 'enterprise' ? ['jti'] : [])],
      maxTokenAge: '1h',
      clockTolerance: 5,
      currentDate: new Date(now()),
      ...(from.kind === 'enterprise' && { typ: 'oauth-id-jag+jwt' }),
    })
    // One that others are meant by too could be theirs to use against us.
    if (Array.isArray(claims.aud) && claims.aud.length !== 1)
      throw new Error('it is not for us alone')
    const subject =
      from.subject === undefined ? `${from.issuer}|${claims.sub}` : from.subject(claims)
    if (subject === undefined) throw new Error('its subject may not have a token')
    return { from, subject, claims }
  }
}

function issuerOf(assertion: string): unknown {
  const [, payload = ''] = assertion.split('.')
  return parseJsonObject(Buffer.from(payload, 'base64url').toString('utf8'))?.['iss']
}

async function findKeys(issuer: string, fetchDocument: typeof fetch): Promise<string> {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  for (const place of places) {
    const metadata = await fetchJson(place, fetchDocument).catch(() => undefined) // the next place may have it
    if (metadata?.['issuer'] !== issuer) continue
    const uri = parseUrl(metadata['jwks_uri'])
    if (uri !== undefined) return uri.href
  }
  throw new Error(`${issuer} has no metadata that names its keys`)
}

async function fetchJson(url: string, fetchDocument: typeof fetch): Promise<JsonObject> {
  const response = await fetchDocument(url, { headers: { accept: 'application/json' } })
  const value = response.ok ? parseJsonObject(await response.text()) : undefined
  if (value === undefined) throw new Error(`no document at ${url}`)
  return value
}

function isKeySet(value: JsonObject): value is JsonObject & JSONWebKeySet {
  const keys = value['keys']
  return Array.isArray(keys) && keys.every((key) => isJsonObject(key) && 'kty' in key)
}
