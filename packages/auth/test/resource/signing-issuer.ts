import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
} from 'jose'

import { openLoggedServer, type Answer, type LoggedServer, type Seen } from '../support/http-log.ts'

export const resource = 'https://notes.example.com/mcp'

export interface SigningKey {
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

export interface Signing {
  readonly header?: Record<string, unknown>
  readonly key?: SigningKey
}

/** An issuer on loopback that signs what a test tells it. */
export interface SigningIssuer extends LoggedServer {
  readonly issuer: string
  /** The keys it publishes; the first signs. */
  readonly keys: SigningKey[]
  /** A good token for the resource; a claim of `undefined` is left out. */
  sign(claims?: Record<string, unknown>, signing?: Signing): Promise<string>
}

export interface IssuerScript {
  readonly alg?: string
  readonly metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>
  readonly answer?: (seen: Seen) => Answer | undefined
}

export async function openSigningIssuer(script: IssuerScript = {}): Promise<SigningIssuer> {
  const { alg = 'ES256' } = script
  const keys = [await createKey(alg)]
  const logged = await openLoggedServer((seen) => script.answer?.(seen) ?? answer(seen))
  const issuer = logged.origin

  function answer({ path }: Seen): Answer {
    switch (path) {
      case '/.well-known/oauth-authorization-server':
        return { body: script.metadata?.(metadata()) ?? metadata() }
      case '/jwks':
        return { body: { keys: keys.map(({ jwk }) => jwk) } }
      default:
        return { status: 404, body: 'nothing here' }
    }
  }

  function metadata(): Record<string, unknown> {
    return {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      token_endpoint: `${issuer}/token`,
      introspection_endpoint: `${issuer}/introspect`,
    }
  }

  return {
    ...logged,
    [Symbol.asyncDispose]: () => logged[Symbol.asyncDispose](),
    issuer,
    keys,
    async sign(claims = {}, { header, key = keys[0] } = {}) {
      if (key === undefined) throw new Error('there is no key')
      const now = Math.floor(Date.now() / 1000)
      const all = {
        iss: issuer,
        sub: 'ada',
        client_id: 'notes-app',
        aud: resource,
        iat: now,
        exp: now + 300,
        jti: crypto.randomUUID(),
        ...claims,
      }
      const kept = Object.entries(all).filter(([, value]) => value !== undefined)
      return new SignJWT(Object.fromEntries(kept))
        .setProtectedHeader(withoutUndefined({ alg, typ: 'at+jwt', kid: key.jwk.kid, ...header }))
        .sign(key.privateKey)
    },
  }
}

export async function createKey(alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: crypto.randomUUID(), alg, use: 'sig' }
  return { privateKey, jwk }
}

function withoutUndefined(header: Record<string, unknown>): JWTHeaderParameters {
  const kept = Object.entries(header).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as unknown as JWTHeaderParameters // `alg` is among them
}
