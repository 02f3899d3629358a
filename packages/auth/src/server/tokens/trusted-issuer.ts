import { parseJsonObject } from '@parley/mcp/json'
import { jwtVerify, type JWTPayload } from 'jose'

import { createIssuerAccess } from '../../resource/issuer-access.ts'
import { createIssuerKeys } from '../../resource/issuer-keys.ts'
import { type JsonObject } from '../../shared/json-document.ts'

/** Somebody else whose word about a person or a program is taken for a token of ours. */
export interface TrustedIssuer {
  /** The `iss` of its assertions, exactly. */
  readonly issuer: string
  /** `enterprise`: an identity provider's word about an employee (ID-JAG). `workload`: a platform's word about a program. */
  readonly kind: 'enterprise' | 'workload'
  /** @defaultValue from its metadata */
  readonly jwksUri?: string | undefined
  /** The most that its word gets. */
  readonly scopes: readonly string[]
  /** Maps the claims to a user here; undefined refuses. @defaultValue the issuer and its `sub`, which no local user has */
  readonly subject?: ((claims: JsonObject) => string | undefined) | undefined
}

/** A verified assertion of a trusted issuer. */
export interface Assertion {
  readonly from: TrustedIssuer
  readonly subject: string
  readonly claims: JWTPayload
}

const algorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519']

/** Checks assertions; throws with the reason if one is not good. */
export function createAssertionCheck(options: {
  readonly trust: readonly TrustedIssuer[]
  /** Us, in the way that assertions may name us. */
  readonly audience: readonly string[]
  readonly fetch: typeof fetch
  readonly now: () => number
}): (assertion: string) => Promise<Assertion> {
  const { audience, now } = options
  const trusted = options.trust.map((from) => {
    const access = createIssuerAccess({ issuer: from.issuer }, options.fetch)
    return { from, keys: createIssuerKeys(access, from.jwksUri, () => {}) }
  })

  return async (assertion) => {
    const named = issuerOf(assertion)
    const { from, keys } = trusted.find((candidate) => candidate.from.issuer === named) ?? {}
    if (from === undefined || keys === undefined) throw new Error('its issuer is not trusted')
    const { payload: claims } = await jwtVerify(assertion, await keys(), {
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
      throw new Error('it is not for this server alone')
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
