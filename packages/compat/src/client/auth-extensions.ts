/** `@modelcontextprotocol/sdk/client/auth-extensions.js`: sign-in without users, by a secret or a signed assertion. */

import type { webcrypto } from 'node:crypto'

import type { OAuthClientInformation, OAuthClientMetadata, OAuthTokens } from '../shared/auth.ts'
import type { AddClientAuthentication, OAuthClientProvider } from './auth.ts'

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

interface Algorithm {
  readonly import: Parameters<webcrypto.SubtleCrypto['importKey']>[2]
  readonly sign: { name: string; saltLength?: number; hash?: string }
}

/** The algorithms of JWS that WebCrypto has. */
function algorithmOf(alg: string): Algorithm {
  const hash = `SHA-${alg.slice(2)}`
  switch (alg) {
    case 'RS256':
    case 'RS384':
    case 'RS512':
      return { import: { name: 'RSASSA-PKCS1-v1_5', hash }, sign: { name: 'RSASSA-PKCS1-v1_5' } }
    case 'PS256':
    case 'PS384':
    case 'PS512':
      return {
        import: { name: 'RSA-PSS', hash },
        sign: { name: 'RSA-PSS', saltLength: Number(alg.slice(2)) / 8 },
      }
    case 'ES256':
    case 'ES384':
      return {
        import: { name: 'ECDSA', namedCurve: `P-${alg.slice(2)}` },
        sign: { name: 'ECDSA', hash },
      }
    case 'ES512':
      return { import: { name: 'ECDSA', namedCurve: 'P-521' }, sign: { name: 'ECDSA', hash } }
    case 'HS256':
    case 'HS384':
    case 'HS512':
      return { import: { name: 'HMAC', hash }, sign: { name: 'HMAC' } }
    case 'EdDSA':
      return { import: { name: 'Ed25519' }, sign: { name: 'Ed25519' } }
    default:
      throw new Error(`Unsupported algorithm ${alg}`)
  }
}

async function importKey(
  key: string | Uint8Array | Record<string, unknown>,
  alg: string,
): Promise<webcrypto.CryptoKey> {
  const { import: algorithm } = algorithmOf(alg)
  if (alg.startsWith('HS')) {
    if (typeof key === 'object' && !(key instanceof Uint8Array)) {
      return crypto.subtle.importKey('jwk', key as webcrypto.JsonWebKey, algorithm, false, ['sign'])
    }
    const secret = typeof key === 'string' ? new TextEncoder().encode(key) : key
    return crypto.subtle.importKey('raw', secret as webcrypto.BufferSource, algorithm, false, [
      'sign',
    ])
  }
  if (typeof key === 'string') {
    const pem = /-----BEGIN PRIVATE KEY-----([\s\S]*?)-----END PRIVATE KEY-----/.exec(key)?.[1]
    if (pem === undefined) throw new TypeError('"pkcs8" must be PKCS#8 formatted string')
    const bytes = Uint8Array.from(atob(pem.replaceAll(/\s/g, '')), (item) => item.charCodeAt(0))
    return crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign'])
  }
  if (key instanceof Uint8Array) {
    return crypto.subtle.importKey('pkcs8', key as webcrypto.BufferSource, algorithm, false, [
      'sign',
    ])
  }
  return crypto.subtle.importKey('jwk', key as webcrypto.JsonWebKey, algorithm, false, ['sign'])
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function signJwt(
  claims: Record<string, unknown>,
  key: string | Uint8Array | Record<string, unknown>,
  alg: string,
): Promise<string> {
  const encode = (value: object): string =>
    base64url(new TextEncoder().encode(JSON.stringify(value)))
  const text = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`
  const signature = await crypto.subtle.sign(
    algorithmOf(alg).sign,
    await importKey(key, alg),
    new TextEncoder().encode(text),
  )
  return `${text}.${base64url(new Uint8Array(signature))}`
}

/** Returns what adds an assertion signed by the client's key (RFC 7523). */
export function createPrivateKeyJwtAuth(options: {
  issuer: string
  subject: string
  privateKey: string | Uint8Array | Record<string, unknown>
  alg: string
  audience?: string | URL
  /** @defaultValue 300 */
  lifetimeSeconds?: number
  claims?: Record<string, unknown>
}): AddClientAuthentication {
  return async (_headers, params, url, metadata) => {
    const { issuer, subject, privateKey, alg, lifetimeSeconds = 300, claims } = options
    const audience = String(options.audience ?? metadata?.issuer ?? url)
    const now = Math.floor(Date.now() / 1_000)
    const assertion = await signJwt(
      {
        iss: issuer,
        sub: subject,
        aud: audience,
        exp: now + lifetimeSeconds,
        iat: now,
        jti: crypto.randomUUID(),
        ...claims,
      },
      privateKey,
      alg,
    )
    params.set('client_assertion', assertion)
    params.set('client_assertion_type', assertionType)
  }
}

interface MachineOptions {
  readonly clientId: string
  readonly clientName?: string | undefined
  readonly scope?: string | undefined
  readonly expectedIssuer?: string | undefined
}

/** Without an issuer, the MCP server decides which authorization server gets the credentials. */
function checkedIssuer(issuer: string | undefined): string | undefined {
  if (issuer === undefined) {
    console.warn(
      "`expectedIssuer` is missing: name the authorization server's issuer, so that the client's credentials are sent to no other",
    )
  } else if (typeof issuer !== 'string' || issuer === '') {
    throw new Error("expectedIssuer must be the authorization server's issuer URL")
  }
  return issuer
}

/** Shared by the providers: no user, no redirect, the grant `client_credentials`. */
class MachineProvider {
  private _tokens?: OAuthTokens
  private _clientInfo: OAuthClientInformation
  private _clientMetadata: OAuthClientMetadata

  constructor(
    { clientName, scope }: MachineOptions,
    information: OAuthClientInformation,
    method: string,
    defaultName: string,
  ) {
    this._clientInfo = information
    this._clientMetadata = {
      client_name: clientName ?? defaultName,
      redirect_uris: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: method,
      scope,
    }
  }

  get redirectUrl(): undefined {
    return undefined
  }

  get clientMetadata(): OAuthClientMetadata {
    return this._clientMetadata
  }

  clientInformation(): OAuthClientInformation {
    return this._clientInfo
  }

  saveClientInformation(info: OAuthClientInformation): void {
    this._clientInfo = info
  }

  tokens(): OAuthTokens | undefined {
    return this._tokens
  }

  saveTokens(tokens: OAuthTokens): void {
    this._tokens = tokens
  }

  redirectToAuthorization(): void {
    throw new Error('redirectToAuthorization is not used for client_credentials flow')
  }

  saveCodeVerifier(): void {
    // There is no code.
  }

  codeVerifier(): string {
    throw new Error('codeVerifier is not used for client_credentials flow')
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    const params = new URLSearchParams({ grant_type: 'client_credentials' })
    if (scope) params.set('scope', scope)
    return params
  }
}

export interface ClientCredentialsProviderOptions {
  clientId: string
  clientSecret: string
  clientName?: string
  scope?: string
  /** The authorization server that the credentials belong to. */
  expectedIssuer?: string
}

/** Signs in with a client secret. */
export class ClientCredentialsProvider extends MachineProvider implements OAuthClientProvider {
  constructor(options: ClientCredentialsProviderOptions) {
    const { clientId, clientSecret, expectedIssuer } = options
    super(
      options,
      {
        client_id: clientId,
        client_secret: clientSecret,
        issuer: checkedIssuer(expectedIssuer),
      },
      'client_secret_basic',
      'client-credentials-client',
    )
  }
}

export interface PrivateKeyJwtProviderOptions {
  clientId: string
  /** PKCS#8 as text or bytes, or a JWK. */
  privateKey: string | Uint8Array | Record<string, unknown>
  algorithm: string
  clientName?: string
  jwtLifetimeSeconds?: number
  scope?: string
  /** The authorization server that the key is for. */
  expectedIssuer?: string
}

/** Signs in with assertions signed by the client's key. */
export class PrivateKeyJwtProvider extends MachineProvider implements OAuthClientProvider {
  addClientAuthentication: AddClientAuthentication

  constructor(options: PrivateKeyJwtProviderOptions) {
    const { clientId, privateKey, algorithm, jwtLifetimeSeconds, expectedIssuer } = options
    super(
      options,
      { client_id: clientId, issuer: checkedIssuer(expectedIssuer) },
      'private_key_jwt',
      'private-key-jwt-client',
    )
    this.addClientAuthentication = createPrivateKeyJwtAuth({
      issuer: clientId,
      subject: clientId,
      privateKey,
      alg: algorithm,
      lifetimeSeconds: jwtLifetimeSeconds,
    })
  }
}

export interface StaticPrivateKeyJwtProviderOptions {
  clientId: string
  jwtBearerAssertion: string
  clientName?: string
  scope?: string
  /** The authorization server that the assertion is for. */
  expectedIssuer?: string
}

/** Signs in with an assertion that was signed elsewhere. */
export class StaticPrivateKeyJwtProvider extends MachineProvider implements OAuthClientProvider {
  addClientAuthentication: AddClientAuthentication

  constructor(options: StaticPrivateKeyJwtProviderOptions) {
    const { clientId, jwtBearerAssertion, expectedIssuer } = options
    super(
      options,
      { client_id: clientId, issuer: checkedIssuer(expectedIssuer) },
      'private_key_jwt',
      'static-private-key-jwt-client',
    )
    this.addClientAuthentication = (_headers, params) => {
      params.set('client_assertion', jwtBearerAssertion)
      params.set('client_assertion_type', assertionType)
    }
  }
}
