import { isJsonObject } from '@parley/mcp/json'
import { None, ClientSecretPost, PrivateKeyJwt, type ClientAuth } from 'oauth4webapi'

import { AuthError } from '../../shared/auth-error.ts'
import type { TokenIssuer } from '../issuer/issuer-metadata.ts'
import type { AuthMethod, PrivateJwk } from '../options.ts'

/** Our identity as a client at an issuer. */
export interface ClientIdentity {
  readonly id: string
  /** Where the id is from: the user, a document at that URL, or a registration of ours. */
  readonly source: 'configured' | 'document' | 'registered'
  readonly secret?: string | undefined
  /** The expiry of the secret, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
  readonly key?: PrivateJwk | undefined
  readonly method?: AuthMethod | undefined
  /** The redirect it is registered with, if we know. */
  readonly redirectUri?: string | undefined
}

/** A registration as it was kept; `undefined` for anything else. Total. */
export function decodeIdentity(value: unknown): ClientIdentity | undefined {
  if (!isJsonObject(value) || typeof value['id'] !== 'string') return undefined
  const { id, secret, expiresAt, method, redirectUri } = value
  return {
    id,
    source: 'registered',
    ...(typeof secret === 'string' && { secret }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(isRegisteredMethod(method) && { method }),
    ...(typeof redirectUri === 'string' && { redirectUri }),
  }
}

/** Ways to authenticate that can come out of registering. */
export function isRegisteredMethod(value: unknown): value is AuthMethod {
  return value === 'none' || value === 'client_secret_basic' || value === 'client_secret_post'
}

/** How this client authenticates at the token endpoint: as agreed, else the best way both sides can. */
export function methodOf(
  { method, secret, key }: ClientIdentity,
  { server }: TokenIssuer,
): AuthMethod {
  if (method !== undefined) return method
  if (key !== undefined) return 'private_key_jwt'
  if (secret === undefined) return 'none'
  // RFC 8414: an issuer that lists nothing takes Basic.
  const listed = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const canPost = listed.includes('client_secret_post')
  return !listed.includes('client_secret_basic') && canPost
    ? 'client_secret_post'
    : 'client_secret_basic'
}

/** The same as the OAuth library takes it. */
export async function authenticationOf(
  identity: ClientIdentity,
  issuer: TokenIssuer,
): Promise<ClientAuth> {
  const { secret, key } = identity
  if (identity.id === '') return () => {} // what is presented says who we are
  const method = methodOf(identity, issuer)
  if (method === 'none') return None()
  if (method === 'private_key_jwt' && key !== undefined) {
    return PrivateKeyJwt(await importPrivateKey(key, issuer.id))
  }
  if (secret === undefined || method === 'private_key_jwt') {
    const missing = method === 'private_key_jwt' ? 'a key' : 'a client secret'
    throw new AuthError(
      'client_id_needed',
      `${issuer.id} requires ${missing} for the client ${identity.id}`,
      {
        step: 'token',
        issuer: issuer.id,
      },
    )
  }
  return method === 'client_secret_post' ? ClientSecretPost(secret) : basic(secret)
}

/**
 * RFC 6749 section 2.3.1. The library also escapes `-`, `.`, `_` and `*`, which form encoding leaves alone and which
 * servers that forget to decode then do not know.
 */
function basic(secret: string): ClientAuth {
  return (_, { client_id }, __, headers) => {
    headers.set('authorization', `Basic ${btoa(`${formEncode(client_id)}:${formEncode(secret)}`)}`)
  }
}

/** Encodes as `application/x-www-form-urlencoded`. */
export function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

const curves: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
  Ed25519: 'Ed25519',
}

async function importPrivateKey(jwk: PrivateJwk, issuer: string) {
  const { alg = curves[String(jwk['crv'])] ?? 'RS256', kid } = jwk
  try {
    const { key_ops: _, use: __, ext: ___, ...bare } = jwk
    const key = await crypto.subtle.importKey('jwk', bare, algorithmOf(String(alg)), false, [
      'sign',
    ])
    return { key, ...(typeof kid === 'string' && { kid }) }
  } catch {
    // The reason may quote the key, so it is not passed on.
    throw new AuthError(
      'client_id_needed',
      `the key for ${issuer} is not a private JWK for ${String(alg)}`,
      {
        step: 'token',
        issuer,
        hint: 'Pass a private key as a JWK with kty, and with alg unless crv implies it.',
      },
    )
  }
}

function algorithmOf(alg: string) {
  const hash = `SHA-${alg.slice(2)}`
  if (alg.startsWith('RS')) return { name: 'RSASSA-PKCS1-v1_5', hash }
  if (alg.startsWith('PS')) return { name: 'RSA-PSS', hash }
  if (!alg.startsWith('ES')) return { name: 'Ed25519' }
  return { name: 'ECDSA', namedCurve: alg === 'ES512' ? 'P-521' : `P-${alg.slice(2)}` }
}
