/**
 * `@modelcontextprotocol/sdk/client/auth.js`: how a client signs in with OAuth 2.1.
 *
 * `auth` goes through the steps: discover, register, authorize, exchange, refresh. Each is a function of its own. What is kept, and how the
 * user is sent to the authorization server, is up to the program's `OAuthClientProvider`.
 */

import { LATEST_PROTOCOL_VERSION } from '../schemas/base.ts'
import {
  InvalidClientError,
  InvalidClientMetadataError,
  InvalidGrantError,
  OAUTH_ERRORS,
  OAuthError,
  ServerError,
  UnauthorizedClientError,
} from '../server/auth/errors.ts'
import { checkResourceAllowed, resourceUrlFromServerUrl } from '../shared/auth-utils.ts'
import {
  type AuthorizationServerMetadata,
  type OAuthClientInformationFull,
  OAuthClientInformationFullSchema,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  OAuthErrorResponseSchema,
  type OAuthMetadata,
  OAuthMetadataSchema,
  type OAuthProtectedResourceMetadata,
  OAuthProtectedResourceMetadataSchema,
  type OAuthTokens,
  OAuthTokensSchema,
  OpenIdProviderDiscoveryMetadataSchema,
} from '../shared/auth.ts'
import { parseUrl } from '../shared/parse-url.ts'
import { type FetchLike, fetchWithinOrigin, unfollowedRedirect } from '../shared/transport.ts'

/** Adds a client's credentials to a request to the token endpoint. */
export type AddClientAuthentication = (
  headers: Headers,
  params: URLSearchParams,
  url: string | URL,
  metadata?: AuthorizationServerMetadata,
) => void | Promise<void>

/** The program's part in signing in: it keeps clients and tokens, and opens the browser. */
export interface OAuthClientProvider {
  /** Where users come back; `undefined` for grants without users. */
  get redirectUrl(): string | URL | undefined
  /** The address of the client's metadata, instead of a registration. */
  clientMetadataUrl?: string
  get clientMetadata(): OAuthClientMetadata
  state?(): string | Promise<string>
  clientInformation():
    | OAuthClientInformationMixed
    | undefined
    | Promise<OAuthClientInformationMixed | undefined>
  saveClientInformation?(clientInformation: OAuthClientInformationMixed): void | Promise<void>
  tokens(): OAuthTokens | undefined | Promise<OAuthTokens | undefined>
  saveTokens(tokens: OAuthTokens): void | Promise<void>
  /** Sends the user to the authorization server. */
  redirectToAuthorization(authorizationUrl: URL): void | Promise<void>
  saveCodeVerifier(codeVerifier: string): void | Promise<void>
  codeVerifier(): string | Promise<string>
  addClientAuthentication?: AddClientAuthentication
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>
  /** Forgets what the server has refused. */
  invalidateCredentials?(
    scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery',
  ): void | Promise<void>
  /** Makes a request for tokens of another grant. */
  prepareTokenRequest?(
    scope?: string,
  ): URLSearchParams | Promise<URLSearchParams | undefined> | undefined
  saveDiscoveryState?(state: OAuthDiscoveryState): void | Promise<void>
  discoveryState?(): OAuthDiscoveryState | undefined | Promise<OAuthDiscoveryState | undefined>
}

/** The outcome of discovery, kept between two runs. */
export interface OAuthDiscoveryState extends OAuthServerInfo {
  resourceMetadataUrl?: string
}

/** `REDIRECT`: the user is at the authorization server, and comes back with a code. */
export type AuthResult = 'AUTHORIZED' | 'REDIRECT'

/** The server asks for a sign-in. */
export class UnauthorizedError extends Error {
  constructor(message?: string) {
    super(message ?? 'Unauthorized')
  }
}

type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none'
const knownMethods: readonly string[] = ['client_secret_basic', 'client_secret_post', 'none']

/** Picks how the client authenticates: as registered, else the best of what the server supports. */
export function selectClientAuthMethod(
  clientInformation: OAuthClientInformationMixed,
  supportedMethods: string[],
): ClientAuthMethod {
  const hasSecret = clientInformation.client_secret !== undefined
  const registered =
    'token_endpoint_auth_method' in clientInformation
      ? clientInformation.token_endpoint_auth_method
      : undefined
  const isUsable =
    registered &&
    knownMethods.includes(registered) &&
    (supportedMethods.length === 0 || supportedMethods.includes(registered))
  if (isUsable) return registered as ClientAuthMethod
  if (supportedMethods.length === 0) return hasSecret ? 'client_secret_basic' : 'none'
  if (hasSecret && supportedMethods.includes('client_secret_basic')) return 'client_secret_basic'
  if (hasSecret && supportedMethods.includes('client_secret_post')) return 'client_secret_post'
  if (supportedMethods.includes('none')) return 'none'
  return hasSecret ? 'client_secret_post' : 'none'
}

function authenticate(
  method: ClientAuthMethod,
  { client_id, client_secret }: OAuthClientInformationMixed,
  headers: Headers,
  params: URLSearchParams,
): void {
  if (method === 'client_secret_basic') {
    if (!client_secret) {
      throw new Error('client_secret_basic authentication requires a client_secret')
    }
    headers.set('Authorization', `Basic ${btoa(`${client_id}:${client_secret}`)}`)
    return
  }
  params.set('client_id', client_id)
  if (method === 'client_secret_post' && client_secret) params.set('client_secret', client_secret)
}

/** Makes the error that a response describes. */
export async function parseErrorResponse(input: Response | string): Promise<OAuthError> {
  const status = input instanceof Response ? input.status : undefined
  const body = input instanceof Response ? await input.text() : input
  try {
    const { error, error_description, error_uri } = OAuthErrorResponseSchema.parse(JSON.parse(body))
    const Class = OAUTH_ERRORS[error] ?? ServerError
    return new Class(error_description ?? '', error_uri)
  } catch (error) {
    const prefix = status === undefined ? '' : `HTTP ${status}: `
    const redirect = input instanceof Response ? unfollowedRedirect(input, input.url) : undefined
    const invalid = `Invalid OAuth error response: ${String(error)}. Raw body: ${body}`
    return new ServerError(`${prefix}${redirect ?? invalid}`)
  }
}

/** Says whether two issuers are the same, with or without a slash at the end. */
function isSameIssuer(one: string, other: string): boolean {
  const urls = [parseUrl(one), parseUrl(other)]
  const [a = one, b = other] = urls.every(Boolean) ? urls.map((url) => url?.href) : []
  return a === b || a === `${b}/` || b === `${a}/`
}

interface Bound {
  readonly issuer?: string | undefined
}

/** Returns what is stored unless it belongs to another issuer. What names none is from before issuers were kept. */
function boundTo<T extends Bound>(issuer: string, stored: T | undefined): T | undefined {
  if (!stored || stored.issuer === undefined || stored.issuer === null) return stored
  if (typeof stored.issuer !== 'string') return { ...stored, issuer: undefined }
  return isSameIssuer(stored.issuer, issuer) ? stored : undefined
}

function boundElsewhere({ issuer }: Bound, asked: string): Error {
  return new Error(
    `OAuth client information is bound to authorization server ${issuer} and is not presented to ${asked}. Clear the stored client information, or correct \`expectedIssuer\`, if the authorization server has moved.`,
  )
}

interface AuthOptions {
  serverUrl: string | URL
  authorizationCode?: string
  scope?: string
  resourceMetadataUrl?: URL
  fetchFn?: FetchLike
}

/** Signs in: by the tokens there are, by a code, by refreshing, or by sending the user to the authorization server. */
export async function auth(
  provider: OAuthClientProvider,
  options: AuthOptions,
): Promise<AuthResult> {
  try {
    return await signIn(provider, options)
  } catch (error) {
    // Credentials that the server has refused are forgotten, once.
    if (error instanceof InvalidClientError || error instanceof UnauthorizedClientError) {
      await provider.invalidateCredentials?.('all')
      return await signIn(provider, options)
    }
    if (error instanceof InvalidGrantError) {
      await provider.invalidateCredentials?.('tokens')
      return await signIn(provider, options)
    }
    throw error
  }
}

async function signIn(
  provider: OAuthClientProvider,
  { serverUrl, authorizationCode, scope, resourceMetadataUrl, fetchFn }: AuthOptions,
): Promise<AuthResult> {
  const info = await discover(provider, serverUrl, resourceMetadataUrl, fetchFn)
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = info
  const issuer = authorizationServerUrl
  const selected = await selectResourceURL(serverUrl, provider, resourceMetadata)
  // As the server writes it: a URL would get a slash.
  const isAsWritten = selected && resourceMetadata && !provider.validateResourceURL
  const resource = isAsWritten ? resourceMetadata.resource : selected
  const wantedScope =
    scope || resourceMetadata?.scopes_supported?.join(' ') || provider.clientMetadata.scope

  const clientInformation = await findClient(provider, {
    authorizationServerUrl,
    metadata,
    scope: wantedScope,
    isReturning: authorizationCode !== undefined,
    fetchFn,
  })

  const isWithoutUser = !provider.redirectUrl
  if (authorizationCode !== undefined || isWithoutUser) {
    const tokens = await fetchToken(provider, authorizationServerUrl, {
      metadata,
      resource,
      authorizationCode,
      fetchFn,
    })
    await bindClient(provider, clientInformation, issuer)
    await provider.saveTokens({ ...tokens, issuer })
    return 'AUTHORIZED'
  }

  const tokens = boundTo(issuer, (await provider.tokens()) ?? undefined)
  if (tokens?.refresh_token && !tokens.issuer) {
    console.warn(
      'stored OAuth tokens name no issuer: the provider has to keep what saveTokens() and saveClientInformation() get',
    )
  }
  if (tokens?.refresh_token) {
    try {
      const refreshed = await refreshAuthorization(authorizationServerUrl, {
        metadata,
        clientInformation,
        refreshToken: tokens.refresh_token,
        resource,
        addClientAuthentication: provider.addClientAuthentication,
        fetchFn,
      })
      await bindClient(provider, clientInformation, issuer)
      await provider.saveTokens({ ...refreshed, issuer })
      return 'AUTHORIZED'
    } catch (error) {
      // A broken server or an unknown error: the user can still sign in again.
      if (error instanceof OAuthError && !(error instanceof ServerError)) throw error
    }
  }

  const state = await provider.state?.()
  const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServerUrl, {
    metadata,
    clientInformation,
    state,
    redirectUrl: provider.redirectUrl,
    scope: wantedScope,
    resource,
  })
  await provider.saveCodeVerifier(codeVerifier)
  await provider.redirectToAuthorization(authorizationUrl)
  return 'REDIRECT'
}

/** Keeps the issuer with a client that was stored without one. The sign-in goes on if that fails. */
async function bindClient(
  provider: OAuthClientProvider,
  information: OAuthClientInformationMixed,
  issuer: string,
): Promise<void> {
  if (information.issuer) return
  try {
    await provider.saveClientInformation?.({ ...information, issuer })
  } catch {
    // It is bound the next time.
  }
}

async function discover(
  provider: OAuthClientProvider,
  serverUrl: string | URL,
  resourceMetadataUrl: URL | undefined,
  fetchFn: FetchLike | undefined,
): Promise<OAuthServerInfo> {
  const stored = await provider.discoveryState?.()
  if (stored?.authorizationServerUrl) return completeDiscovery(provider, serverUrl, stored, fetchFn)
  const info = await discoverOAuthServerInfo(serverUrl, { resourceMetadataUrl, fetchFn })
  await provider.saveDiscoveryState?.({
    ...info,
    resourceMetadataUrl: resourceMetadataUrl?.toString(),
  })
  return info
}

/** Fetches what was not kept, and keeps it. */
async function completeDiscovery(
  provider: OAuthClientProvider,
  serverUrl: string | URL,
  stored: OAuthDiscoveryState,
  fetchFn: FetchLike | undefined,
): Promise<OAuthServerInfo> {
  const { authorizationServerUrl, resourceMetadataUrl } = stored
  const authorizationServerMetadata =
    stored.authorizationServerMetadata ??
    (await discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn }))
  const resourceMetadata =
    stored.resourceMetadata ??
    (await discoverOAuthProtectedResourceMetadata(
      serverUrl,
      { resourceMetadataUrl },
      fetchFn,
      // A server of 2025-03-26 has no such metadata.
    ).catch(() => undefined))
  const isComplete =
    authorizationServerMetadata === stored.authorizationServerMetadata &&
    resourceMetadata === stored.resourceMetadata
  const info = { authorizationServerUrl, authorizationServerMetadata, resourceMetadata }
  if (!isComplete) await provider.saveDiscoveryState?.({ ...info, resourceMetadataUrl })
  return info
}

interface ClientLookup {
  authorizationServerUrl: string
  metadata: AuthorizationServerMetadata | undefined
  scope: string | undefined
  isReturning: boolean
  fetchFn: FetchLike | undefined
}

async function findClient(
  provider: OAuthClientProvider,
  { authorizationServerUrl, metadata, scope, isReturning, fetchFn }: ClientLookup,
): Promise<OAuthClientInformationMixed> {
  const issuer = authorizationServerUrl
  const stored = (await provider.clientInformation()) ?? undefined
  const bound = boundTo(issuer, stored)
  if (bound) return bound
  const canRegisterAgain = provider.saveClientInformation !== undefined && !!provider.redirectUrl
  if (stored && !canRegisterAgain) throw boundElsewhere(stored, issuer)
  if (isReturning) {
    throw new Error(
      'Existing OAuth client information is required when exchanging an authorization code',
    )
  }
  const { clientMetadataUrl } = provider
  if (clientMetadataUrl && !isHttpsUrl(clientMetadataUrl)) {
    throw new InvalidClientMetadataError(
      `clientMetadataUrl must be a valid HTTPS URL with a non-root pathname, got: ${clientMetadataUrl}`,
    )
  }
  if (clientMetadataUrl && metadata?.client_id_metadata_document_supported === true) {
    const information = { client_id: clientMetadataUrl, issuer }
    await provider.saveClientInformation?.(information)
    return information
  }
  if (!provider.saveClientInformation) {
    throw new Error('OAuth client information must be saveable for dynamic registration')
  }
  const registered = await registerClient(authorizationServerUrl, {
    metadata,
    clientMetadata: provider.clientMetadata,
    scope,
    fetchFn,
  })
  const information = { ...registered, issuer }
  await provider.saveClientInformation(information)
  return information
}

/** Says whether a text is an `https` URL with a path. */
export function isHttpsUrl(value?: string): boolean {
  const url = parseUrl(value ?? '')
  return url?.protocol === 'https:' && url.pathname !== '/'
}

/** Returns the resource that tokens are asked for; throws if the metadata is another server's. */
export async function selectResourceURL(
  serverUrl: string | URL,
  provider: OAuthClientProvider,
  resourceMetadata?: OAuthProtectedResourceMetadata,
): Promise<URL | undefined> {
  const requested = resourceUrlFromServerUrl(serverUrl)
  if (provider.validateResourceURL) {
    return provider.validateResourceURL(requested, resourceMetadata?.resource)
  }
  if (!resourceMetadata) return undefined
  const isAllowed = checkResourceAllowed({
    requestedResource: requested,
    configuredResource: resourceMetadata.resource,
  })
  if (!isAllowed) {
    throw new Error(
      `Protected resource ${resourceMetadata.resource} does not match expected ${requested.toString()} (or origin)`,
    )
  }
  return new URL(resourceMetadata.resource)
}

/** Reads the challenge of a 401 or 403. */
export function extractWWWAuthenticateParams(res: Response): {
  resourceMetadataUrl?: URL
  scope?: string
  error?: string
} {
  const header = res.headers.get('WWW-Authenticate')
  const [type, rest] = header?.split(' ', 2) ?? []
  if (!header || type?.toLowerCase() !== 'bearer' || !rest) return {}
  const field = (name: string): string | undefined => {
    const found = new RegExp(`${name}=(?:"([^"]+)"|([^\\s,]+))`).exec(header)
    return found?.[1] ?? found?.[2]
  }
  const address = field('resource_metadata')
  return {
    resourceMetadataUrl: parseUrl(address ?? ''),
    scope: field('scope'),
    error: field('error'),
  }
}

/** @deprecated Use `extractWWWAuthenticateParams`. */
export function extractResourceMetadataUrl(res: Response): URL | undefined {
  const header = res.headers.get('WWW-Authenticate')
  const [type, rest] = header?.split(' ', 2) ?? []
  if (!header || type?.toLowerCase() !== 'bearer' || !rest) return undefined
  const address = /resource_metadata="([^"]*)"/.exec(header)?.[1]
  return parseUrl(address ?? '')
}

/** Fetches what the MCP server says of its authorization (RFC 9728). */
export async function discoverOAuthProtectedResourceMetadata(
  serverUrl: string | URL,
  opts?: { protocolVersion?: string; resourceMetadataUrl?: string | URL },
  fetchFn: FetchLike = fetch,
): Promise<OAuthProtectedResourceMetadata> {
  const response = await discoverWithFallback(serverUrl, 'oauth-protected-resource', fetchFn, {
    protocolVersion: opts?.protocolVersion,
    metadataUrl: opts?.resourceMetadataUrl,
  })
  if (!response || response.status === 404) {
    await response?.body?.cancel()
    throw new Error('Resource server does not implement OAuth 2.0 Protected Resource Metadata.')
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(
      `HTTP ${response.status} trying to load well-known OAuth protected resource metadata.`,
    )
  }
  return OAuthProtectedResourceMetadataSchema.parse(await response.json())
}

/** Browsers refuse custom headers of other origins: then it is tried without. */
async function fetchOrUndefined(
  url: URL,
  headers: Record<string, string> | undefined,
  fetchFn: FetchLike,
): Promise<Response | undefined> {
  try {
    return await fetchWithinOrigin(fetchFn)(url, { headers })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return headers ? fetchOrUndefined(url, undefined, fetchFn) : undefined
  }
}

async function discoverWithFallback(
  serverUrl: string | URL,
  type: string,
  fetchFn: FetchLike,
  opts: {
    protocolVersion?: string
    metadataUrl?: string | URL
    metadataServerUrl?: string | URL
  },
): Promise<Response | undefined> {
  const issuer = new URL(serverUrl)
  const headers = { 'MCP-Protocol-Version': opts.protocolVersion ?? LATEST_PROTOCOL_VERSION }
  const path = issuer.pathname.endsWith('/') ? issuer.pathname.slice(0, -1) : issuer.pathname
  const url = opts.metadataUrl
    ? new URL(opts.metadataUrl)
    : new URL(`/.well-known/${type}${path}`, opts.metadataServerUrl ?? issuer)
  if (!opts.metadataUrl) url.search = issuer.search
  const response = await fetchOrUndefined(url, headers, fetchFn)
  const mayBeAtRoot =
    !opts.metadataUrl &&
    issuer.pathname !== '/' &&
    (!response || (!response.ok && response.status < 500))
  if (!mayBeAtRoot) return response
  return fetchOrUndefined(new URL(`/.well-known/${type}`, issuer), headers, fetchFn)
}

/** @deprecated Use `discoverAuthorizationServerMetadata`. */
export async function discoverOAuthMetadata(
  issuer: string | URL,
  {
    authorizationServerUrl = issuer,
    protocolVersion = LATEST_PROTOCOL_VERSION,
  }: { authorizationServerUrl?: string | URL; protocolVersion?: string } = {},
  fetchFn: FetchLike = fetch,
): Promise<OAuthMetadata | undefined> {
  const response = await discoverWithFallback(
    authorizationServerUrl,
    'oauth-authorization-server',
    fetchFn,
    { protocolVersion, metadataServerUrl: authorizationServerUrl },
  )
  if (!response || response.status === 404) {
    await response?.body?.cancel()
    return undefined
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`HTTP ${response.status} trying to load well-known OAuth metadata`)
  }
  return OAuthMetadataSchema.parse(await response.json())
}

/** Returns where the metadata of an authorization server may be, in order. */
export function buildDiscoveryUrls(
  authorizationServerUrl: string | URL,
): { url: URL; type: 'oauth' | 'oidc' }[] {
  const { origin, pathname } = new URL(authorizationServerUrl)
  const at = (path: string, type: 'oauth' | 'oidc') => ({ url: new URL(path, origin), type })
  if (pathname === '/') {
    return [
      at('/.well-known/oauth-authorization-server', 'oauth'),
      at('/.well-known/openid-configuration', 'oidc'),
    ]
  }
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  return [
    at(`/.well-known/oauth-authorization-server${path}`, 'oauth'),
    at(`/.well-known/openid-configuration${path}`, 'oidc'),
    at(`${path}/.well-known/openid-configuration`, 'oidc'),
  ]
}

/** Fetches what an authorization server says of itself (RFC 8414, or OpenID Connect). */
export async function discoverAuthorizationServerMetadata(
  authorizationServerUrl: string | URL,
  {
    fetchFn = fetch,
    protocolVersion = LATEST_PROTOCOL_VERSION,
  }: { fetchFn?: FetchLike; protocolVersion?: string } = {},
): Promise<AuthorizationServerMetadata | undefined> {
  const headers = { 'MCP-Protocol-Version': protocolVersion, Accept: 'application/json' }
  for (const { url, type } of buildDiscoveryUrls(authorizationServerUrl)) {
    const response = await fetchOrUndefined(url, headers, fetchFn)
    if (!response) continue
    if (!response.ok) {
      await response.body?.cancel()
      // Redirects that were not followed too.
      if (response.status < 500) continue
      throw new Error(
        `HTTP ${response.status} trying to load ${type === 'oauth' ? 'OAuth' : 'OpenID provider'} metadata from ${url.toString()}`,
      )
    }
    const document: unknown = await response.json()
    return type === 'oauth'
      ? OAuthMetadataSchema.parse(document)
      : OpenIdProviderDiscoveryMetadataSchema.parse(document)
  }
  return undefined
}

export interface OAuthServerInfo {
  authorizationServerUrl: string
  authorizationServerMetadata?: AuthorizationServerMetadata
  resourceMetadata?: OAuthProtectedResourceMetadata
}

/** Finds the authorization server of an MCP server; without metadata it is at the same origin. */
export async function discoverOAuthServerInfo(
  serverUrl: string | URL,
  opts?: { resourceMetadataUrl?: URL; fetchFn?: FetchLike },
): Promise<OAuthServerInfo> {
  let resourceMetadata: OAuthProtectedResourceMetadata | undefined
  let authorizationServerUrl: string | undefined
  try {
    resourceMetadata = await discoverOAuthProtectedResourceMetadata(
      serverUrl,
      { resourceMetadataUrl: opts?.resourceMetadataUrl },
      opts?.fetchFn,
    )
    authorizationServerUrl = resourceMetadata.authorization_servers?.[0]
  } catch {
    // A server of 2025-03-26 has no such metadata.
  }
  authorizationServerUrl ??= String(new URL('/', serverUrl))
  const authorizationServerMetadata = await discoverAuthorizationServerMetadata(
    authorizationServerUrl,
    { fetchFn: opts?.fetchFn },
  )
  return { authorizationServerUrl, authorizationServerMetadata, resourceMetadata }
}

/** Returns where to send the user, and the verifier for the code they come back with. */
export async function startAuthorization(
  authorizationServerUrl: string | URL,
  {
    metadata,
    clientInformation,
    redirectUrl,
    scope,
    state,
    resource,
  }: {
    metadata?: AuthorizationServerMetadata
    clientInformation: OAuthClientInformationMixed
    redirectUrl: string | URL
    scope?: string
    state?: string
    resource?: string | URL
  },
): Promise<{ authorizationUrl: URL; codeVerifier: string }> {
  if (metadata && !metadata.response_types_supported.includes('code')) {
    throw new Error('Incompatible auth server: does not support response type code')
  }
  const challenges = metadata?.code_challenge_methods_supported
  if (challenges && !challenges.includes('S256')) {
    throw new Error('Incompatible auth server: does not support code challenge method S256')
  }
  const authorizationUrl = metadata
    ? new URL(metadata.authorization_endpoint)
    : new URL('/authorize', authorizationServerUrl)
  const { codeVerifier, codeChallenge } = await makeChallenge()
  const { searchParams } = authorizationUrl
  searchParams.set('response_type', 'code')
  searchParams.set('client_id', clientInformation.client_id)
  searchParams.set('code_challenge', codeChallenge)
  searchParams.set('code_challenge_method', 'S256')
  searchParams.set('redirect_uri', String(redirectUrl))
  if (state) searchParams.set('state', state)
  if (scope) searchParams.set('scope', scope)
  // OpenID Connect gives refresh tokens only with consent.
  if (scope?.includes('offline_access')) searchParams.append('prompt', 'consent')
  if (resource) searchParams.set('resource', String(resource))
  return { authorizationUrl, codeVerifier }
}

/** A verifier and its challenge (RFC 7636). */
async function makeChallenge(): Promise<{ codeVerifier: string; codeChallenge: string }> {
  const base64url = (bytes: Uint8Array): string =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '')
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  return { codeVerifier, codeChallenge: base64url(new Uint8Array(digest)) }
}

/** Returns the params that exchange a code. */
export function prepareAuthorizationCodeRequest(
  authorizationCode: string,
  codeVerifier: string,
  redirectUri: string | URL,
): URLSearchParams {
  return new URLSearchParams({
    grant_type: 'authorization_code',
    code: authorizationCode,
    code_verifier: codeVerifier,
    redirect_uri: String(redirectUri),
  })
}

interface TokenRequest {
  metadata: AuthorizationServerMetadata | undefined
  params: URLSearchParams
  clientInformation: OAuthClientInformationMixed | undefined
  addClientAuthentication: AddClientAuthentication | undefined
  resource: string | URL | undefined
  fetchFn: FetchLike | undefined
}

async function requestTokens(
  authorizationServerUrl: string | URL,
  {
    metadata,
    params,
    clientInformation,
    addClientAuthentication,
    resource,
    fetchFn = fetch,
  }: TokenRequest,
): Promise<OAuthTokens> {
  const url = metadata?.token_endpoint
    ? new URL(metadata.token_endpoint)
    : new URL('/token', authorizationServerUrl)
  const headers = new Headers({
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
  })
  if (resource) params.set('resource', String(resource))
  if (addClientAuthentication) await addClientAuthentication(headers, params, url, metadata)
  else if (clientInformation) {
    const supported = metadata?.token_endpoint_auth_methods_supported ?? []
    const method = selectClientAuthMethod(clientInformation, supported)
    authenticate(method, clientInformation, headers, params)
  }
  const response = await fetchWithinOrigin(fetchFn)(url, { method: 'POST', headers, body: params })
  if (!response.ok) throw await parseErrorResponse(response)
  // The server does not decide to which issuer they are bound.
  return OAuthTokensSchema.omit({ issuer: true }).parse(await response.json())
}

/** Exchanges a code for tokens. */
export async function exchangeAuthorization(
  authorizationServerUrl: string | URL,
  {
    metadata,
    clientInformation,
    authorizationCode,
    codeVerifier,
    redirectUri,
    resource,
    addClientAuthentication,
    fetchFn,
  }: {
    metadata?: AuthorizationServerMetadata
    clientInformation: OAuthClientInformationMixed
    authorizationCode: string
    codeVerifier: string
    redirectUri: string | URL
    resource?: string | URL
    addClientAuthentication?: OAuthClientProvider['addClientAuthentication']
    fetchFn?: FetchLike
  },
): Promise<OAuthTokens> {
  return requestTokens(authorizationServerUrl, {
    metadata,
    params: prepareAuthorizationCodeRequest(authorizationCode, codeVerifier, redirectUri),
    clientInformation,
    addClientAuthentication,
    resource,
    fetchFn,
  })
}

/** Exchanges a refresh token; it stays the same if the server gives no other. */
export async function refreshAuthorization(
  authorizationServerUrl: string | URL,
  {
    metadata,
    clientInformation,
    refreshToken,
    resource,
    addClientAuthentication,
    fetchFn,
  }: {
    metadata?: AuthorizationServerMetadata
    clientInformation: OAuthClientInformationMixed
    refreshToken: string
    resource?: string | URL
    addClientAuthentication?: OAuthClientProvider['addClientAuthentication']
    fetchFn?: FetchLike
  },
): Promise<OAuthTokens> {
  const tokens = await requestTokens(authorizationServerUrl, {
    metadata,
    params: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    clientInformation,
    addClientAuthentication,
    resource,
    fetchFn,
  })
  return { refresh_token: refreshToken, ...tokens }
}

/** Fetches tokens by a code, or by the grant that the provider prepares. */
export async function fetchToken(
  provider: OAuthClientProvider,
  authorizationServerUrl: string | URL,
  {
    metadata,
    resource,
    authorizationCode,
    fetchFn,
  }: {
    metadata?: AuthorizationServerMetadata
    resource?: string | URL
    authorizationCode?: string
    fetchFn?: FetchLike
  } = {},
): Promise<OAuthTokens> {
  const { scope } = provider.clientMetadata
  const issuer = String(authorizationServerUrl)
  const readClient = async () => {
    const stored = (await provider.clientInformation()) ?? undefined
    const bound = boundTo(issuer, stored)
    if (stored && !bound) throw boundElsewhere(stored, issuer)
    return bound
  }
  // Before a code or an assertion is made for this server.
  let clientInformation = await readClient()
  let params = await provider.prepareTokenRequest?.(scope)
  if (!params) {
    if (!authorizationCode) {
      throw new Error('Either provider.prepareTokenRequest() or authorizationCode is required')
    }
    if (!provider.redirectUrl) {
      throw new Error('redirectUrl is required for authorization_code flow')
    }
    const codeVerifier = await provider.codeVerifier()
    params = prepareAuthorizationCodeRequest(authorizationCode, codeVerifier, provider.redirectUrl)
  }
  clientInformation ??= await readClient()
  return requestTokens(authorizationServerUrl, {
    metadata,
    params,
    clientInformation,
    addClientAuthentication: provider.addClientAuthentication,
    resource,
    fetchFn,
  })
}

/** Registers a client (RFC 7591). */
export async function registerClient(
  authorizationServerUrl: string | URL,
  {
    metadata,
    clientMetadata,
    scope,
    fetchFn = fetch,
  }: {
    metadata?: AuthorizationServerMetadata
    clientMetadata: OAuthClientMetadata
    scope?: string
    fetchFn?: FetchLike
  },
): Promise<OAuthClientInformationFull> {
  if (metadata && !metadata.registration_endpoint) {
    throw new Error('Incompatible auth server: does not support dynamic client registration')
  }
  const url = metadata?.registration_endpoint
    ? new URL(metadata.registration_endpoint)
    : new URL('/register', authorizationServerUrl)
  const response = await fetchWithinOrigin(fetchFn)(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...clientMetadata, ...(scope !== undefined && { scope }) }),
  })
  if (!response.ok) throw await parseErrorResponse(response)
  return OAuthClientInformationFullSchema.omit({ issuer: true }).parse(await response.json())
}
