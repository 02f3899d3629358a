/**
 * The client of an OpenID provider: discovery, authorization with nonce, and checked ID tokens. Implements `ProviderClient` of `party-
 * client.ts`, as `oauth-client.ts` does for providers without OpenID.
 */

import { isLoopbackHost } from '@parley/mcp/address'
import { parseJsonObject } from '@parley/mcp/json'
import { decodeJwt } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discoveryRequest,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  validateAuthResponse,
  type AuthorizationServer,
  type ClientAuth,
  type TokenEndpointResponse,
} from 'oauth4webapi'

import type { ProviderClient, ProviderContext, ProviderTokens } from './party-client.ts'
import type { OpenIdProvider } from './provider-options.ts'

const metadataMs = 3_600_000
const assumedLifeMs = 3_600_000

/** Us as a client of an OpenID provider. */
export function createOpenIdClient(
  provider: OpenIdProvider,
  context: ProviderContext,
): ProviderClient {
  const { redirectUri, now } = context
  const issuer = new URL(provider.issuer)
  const client = { client_id: provider.clientId }
  const http = {
    [customFetch]: (url: string, init: object) => context.fetch(url, init),
    [allowInsecureRequests]: isLoopbackHost(issuer.hostname),
  }
  let cached: { readonly server: AuthorizationServer; readonly until: number } | undefined

  async function find(): Promise<AuthorizationServer> {
    if (cached !== undefined && cached.until > now()) return cached.server
    const response = await discoveryRequest(issuer, { algorithm: 'oidc', ...http })
    const reported: unknown = parseJsonObject(await response.clone().text())?.['issuer']
    const isTenant =
      provider.issuerTemplate !== undefined && fits(reported, provider.issuerTemplate)
    const expected = isTenant ? new URL(String(reported)) : issuer
    const server = await processDiscoveryResponse(expected, response)
    cached = { server, until: now() + metadataMs }
    return server
  }

  function authenticationAt({
    token_endpoint_auth_methods_supported: methods,
  }: AuthorizationServer): ClientAuth {
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    const { clientSecret } = provider
    return isBasic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret)
  }

  /** The provider as an ID token has to name it: by the tenant of the user, where there are tenants. */
  async function serverOf(
    response: Response,
    server: AuthorizationServer,
  ): Promise<AuthorizationServer> {
    if (provider.issuerTemplate === undefined) return server
    const token = parseJsonObject(await response.clone().text())?.['id_token']
    if (typeof token !== 'string') return server
    const { tid } = decodeJwt(token)
    const isTenant = typeof tid === 'string' && /^[\w.-]{1,100}$/.test(tid)
    const name = isTenant && provider.issuerTemplate.replace('{tenantid}', tid)
    return name ? { ...server, issuer: name } : server
  }

  function tokensOf(answer: TokenEndpointResponse, before?: string): ProviderTokens {
    const { access_token: accessToken, expires_in: seconds } = answer
    const { refresh_token: refreshToken = before } = answer
    const lifeMs = seconds === undefined ? assumedLifeMs : seconds * 1000
    const expiresAt = now() + lifeMs
    return { accessToken, expiresAt, ...(refreshToken !== undefined && { refreshToken }) }
  }

  return {
    async begin({ state, nonce, verifier }) {
      const server = await find()
      const offline = server.scopes_supported?.includes('offline_access') ? ['offline_access'] : []
      const scopes = provider.scopes ?? ['openid', 'profile', 'email', ...offline]
      const asks = scopes.includes('offline_access') && provider.prompt !== 'omit'
      const url = new URL(server.authorization_endpoint ?? '')
      const query = {
        ...(asks && { prompt: 'consent' }), // OpenID Connect 1.0, section 11
        ...provider.authorizeParams,
        response_type: 'code',
        client_id: provider.clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url
    },

    async complete(callback, { state, nonce, verifier }) {
      const server = await find()
      const checked = validateAuthResponse(server, client, callback, state)
      const response = await authorizationCodeGrantRequest(
        server,
        client,
        authenticationAt(server),
        checked,
        redirectUri,
        verifier,
        http,
      )
      const from = await serverOf(response, server)
      const answer = await processAuthorizationCodeResponse(from, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      const claims = getValidatedIdTokenClaims(answer)
      if (claims === undefined) throw new Error(`${provider.issuer} does not say who signed in`)
      return { claims, tokens: tokensOf(answer) }
    },

    async renew(refreshToken) {
      const server = await find()
      try {
        const auth = authenticationAt(server)
        const response = await refreshTokenGrantRequest(server, client, auth, refreshToken, http)
        const from = await serverOf(response, server)
        const answer = await processRefreshTokenResponse(from, client, response)
        const sub = getValidatedIdTokenClaims(answer)?.sub
        return { tokens: tokensOf(answer, refreshToken), ...(sub !== undefined && { sub }) }
      } catch (error) {
        if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined
        throw error
      }
    },
  }
}

/** Whether an issuer is the template, as it is written or with a tenant in it. */
function fits(reported: unknown, template: string): boolean {
  const [before = '', after = ''] = template.split('{tenantid}')
  if (typeof reported !== 'string' || !reported.startsWith(before) || !reported.endsWith(after))
    return false
  const tenant = reported.slice(before.length, reported.length - after.length)
  return tenant === '{tenantid}' || /^[\w.-]{1,100}$/.test(tenant)
}
