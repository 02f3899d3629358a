import type { AuthServerOptions, AuthServerStore, TrustedIssuer } from '@parley/auth/server'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'

import { issuer, resource, secret, startAuthServer, type Harness } from './harness.ts'

export const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }
/** The client that brings the word of a company. */
export const byDesk = { ...grant, client_id: 'desk', client_secret: secret }
export const company = 'https://idp.example.com'
export const platform = 'https://cluster.example.com'

/** Somebody else who signs assertions, and an authorization server that trusts them. */
export async function startTrusting(
  options: Partial<AuthServerOptions> = {},
  trust: Partial<TrustedIssuer> = {},
) {
  const asked: string[] = []
  let signer = await createSigner('key-1')

  function start(more: Partial<AuthServerOptions>): Promise<Harness> {
    return startAuthServer({
      clients: [{ clientId: 'desk', clientSecret: secret, grants: ['jwt-bearer'] }],
      trust: [
        { issuer: company, kind: 'enterprise', scopes: ['notes:read', 'notes:write'], ...trust },
        { issuer: platform, kind: 'workload', scopes: ['notes:read'], jwksUri: `${platform}/keys` },
      ],
      fetch: async (input) => {
        const { href: url } = new URL(input instanceof Request ? input.url : input)
        asked.push(url)
        if (url.endsWith('/.well-known/oauth-authorization-server')) {
          return Response.json({ issuer: company, jwks_uri: `${company}/keys` })
        }
        const isKeys = url.endsWith('/keys')
        return isKeys ? Response.json({ keys: [signer.jwk] }) : new Response(null, { status: 404 })
      },
      ...more,
    })
  }

  async function sign(
    claims: JWTPayload,
    typ: string,
    key = signer.privateKey,
    kid = signer.jwk.kid,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const times = { iat: now, exp: now + 300, jti: crypto.randomUUID() }
    return new SignJWT({ aud: issuer, sub: 'alice', ...times, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid, typ })
      .sign(key)
  }

  return {
    harness: await start(options),
    startAgain: (store: AuthServerStore) => start({ ...options, store }),
    /** What the server fetched of them. */
    asked,
    sign,
    employee: (claims: Record<string, unknown> = {}, typ = 'oauth-id-jag+jwt') =>
      sign({ iss: company, client_id: 'desk', resource, scope: 'notes:read', ...claims }, typ),
    program: (claims: Record<string, unknown> = {}) => sign({ iss: platform, ...claims }, 'JWT'),
    /** From now on they sign with another key, and publish only that. */
    async rotate() {
      signer = await createSigner(`key-${crypto.randomUUID()}`)
    },
  }
}

async function createSigner(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), alg: 'ES256', kid } }
}
