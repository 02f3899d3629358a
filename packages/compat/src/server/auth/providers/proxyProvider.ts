/**
 * `@modelcontextprotocol/sdk/server/auth/providers/proxyProvider.js`: an authorization server that asks another one for everything.
 *
 * `router.ts` makes endpoints of it. It keeps nothing; clients and tokens are looked up with functions of the program.
 */

import type { Response } from 'express'

import {
  type OAuthClientInformationFull,
  OAuthClientInformationFullSchema,
  type OAuthTokenRevocationRequest,
  type OAuthTokens,
  OAuthTokensSchema,
} from '../../../shared/auth.ts'
import type { FetchLike } from '../../../shared/transport.ts'
import type { OAuthRegisteredClientsStore } from '../clients.ts'
import { ServerError } from '../errors.ts'
import type { AuthorizationParams, OAuthServerProvider } from '../provider.ts'
import type { AuthInfo } from '../types.ts'

export type ProxyEndpoints = {
  authorizationUrl: string
  tokenUrl: string
  revocationUrl?: string
  registrationUrl?: string
}

export type ProxyOptions = {
  /** The endpoints of the other authorization server. */
  endpoints: ProxyEndpoints
  verifyAccessToken: (token: string) => Promise<AuthInfo>
  getClient: (clientId: string) => Promise<OAuthClientInformationFull | undefined>
  fetch?: FetchLike
}

/** Passes everything on to another authorization server. */
export class ProxyOAuthServerProvider implements OAuthServerProvider {
  protected readonly _endpoints: ProxyEndpoints
  protected readonly _verifyAccessToken: (token: string) => Promise<AuthInfo>
  protected readonly _getClient: (
    clientId: string,
  ) => Promise<OAuthClientInformationFull | undefined>
  protected readonly _fetch?: FetchLike
  skipLocalPkceValidation = true
  revokeToken?: (
    client: OAuthClientInformationFull,
    request: OAuthTokenRevocationRequest,
  ) => Promise<void>

  constructor(options: ProxyOptions) {
    this._endpoints = options.endpoints
    this._verifyAccessToken = options.verifyAccessToken
    this._getClient = options.getClient
    this._fetch = options.fetch
    const { revocationUrl } = options.endpoints
    if (revocationUrl) {
      this.revokeToken = async ({ client_id, client_secret }, { token, token_type_hint }) => {
        const params = new URLSearchParams({ token, client_id })
        if (client_secret) params.set('client_secret', client_secret)
        if (token_type_hint) params.set('token_type_hint', token_type_hint)
        await this.post(revocationUrl, params, 'Token revocation failed')
      }
    }
  }

  get clientsStore(): OAuthRegisteredClientsStore {
    const { registrationUrl } = this._endpoints
    return {
      getClient: this._getClient,
      ...(registrationUrl && {
        registerClient: async (client) => {
          const response = await (this._fetch ?? fetch)(registrationUrl, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(client),
          })
          await requireOk(response, 'Client registration failed')
          return OAuthClientInformationFullSchema.omit({ issuer: true }).parse(
            await response.json(),
          )
        },
      }),
    }
  }

  async authorize(
    client: OAuthClientInformationFull,
    params: AuthorizationParams,
    res: Response,
  ): Promise<void> {
    const url = new URL(this._endpoints.authorizationUrl)
    const { state, scopes, codeChallenge, redirectUri, resource } = params
    url.search = String(
      new URLSearchParams({
        client_id: client.client_id,
        response_type: 'code',
        redirect_uri: redirectUri,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }),
    )
    if (state) url.searchParams.set('state', state)
    if (scopes?.length) url.searchParams.set('scope', scopes.join(' '))
    if (resource) url.searchParams.set('resource', resource.href)
    res.redirect(url.toString())
  }

  /** The other server checks the verifier. */
  async challengeForAuthorizationCode(
    _client: OAuthClientInformationFull,
    _authorizationCode: string,
  ): Promise<string> {
    return ''
  }

  async exchangeAuthorizationCode(
    client: OAuthClientInformationFull,
    authorizationCode: string,
    codeVerifier?: string,
    redirectUri?: string,
    resource?: URL,
  ): Promise<OAuthTokens> {
    const params = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.client_id,
      code: authorizationCode,
    })
    if (client.client_secret) params.append('client_secret', client.client_secret)
    if (codeVerifier) params.append('code_verifier', codeVerifier)
    if (redirectUri) params.append('redirect_uri', redirectUri)
    if (resource) params.append('resource', resource.href)
    const response = await this.post(this._endpoints.tokenUrl, params, 'Token exchange failed')
    return OAuthTokensSchema.omit({ issuer: true }).parse(await response.json())
  }

  async exchangeRefreshToken(
    client: OAuthClientInformationFull,
    refreshToken: string,
    scopes?: string[],
    resource?: URL,
  ): Promise<OAuthTokens> {
    const params = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: client.client_id,
      refresh_token: refreshToken,
    })
    if (client.client_secret) params.set('client_secret', client.client_secret)
    if (scopes?.length) params.set('scope', scopes.join(' '))
    if (resource) params.set('resource', resource.href)
    const response = await this.post(this._endpoints.tokenUrl, params, 'Token refresh failed')
    return OAuthTokensSchema.omit({ issuer: true }).parse(await response.json())
  }

  async verifyAccessToken(token: string): Promise<AuthInfo> {
    return this._verifyAccessToken(token)
  }

  private async post(
    url: string,
    params: URLSearchParams,
    message: string,
  ): Promise<Awaited<ReturnType<FetchLike>>> {
    const response = await (this._fetch ?? fetch)(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: params.toString(),
    })
    await requireOk(response, message)
    return response
  }
}

async function requireOk(response: Awaited<ReturnType<FetchLike>>, message: string): Promise<void> {
  if (response.ok) return
  await response.body?.cancel()
  throw new ServerError(`${message}: ${response.status}`)
}
