import { isLoopbackHost } from '@parley/mcp/address'
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
  type IDToken,
  type TokenEndpointResponse,
} from 'oauth4webapi'

import type { ThirdParty } from './third-party.ts'

/** What was sent along, to be compared with what comes back. */
export interface Departure {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** What a third party gave us for somebody. */
export interface PartyTokens {
  readonly refreshToken?: string | undefined
  /** Of the access token, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Us as a client of a third party. */
export interface PartyClient {
  readonly party: ThirdParty
  /** Where to send the browser. */
  begin(departure: Departure): Promise<URL>
  /** Who came back. Throws unless everything fits. */
  complete(
    callback: URLSearchParams,
    departure: Departure,
  ): Promise<{ readonly claims: IDToken; readonly tokens: PartyTokens }>
  /** Undefined if it does not know them any more. Throws if it cannot be asked. */
  renew(refreshToken: string): Promise<PartyTokens | undefined>
}

const metadataMs = 3_600_000
const assumedLifeMs = 3_600_000

export function createPartyClient(
  party: ThirdParty,
  options: {
    readonly redirectUri: string
    readonly fetch: typeof fetch
    readonly now: () => number
  },
): PartyClient {
  const { redirectUri, now } = options
  const issuer = new URL(party.issuer)
  const client = { client_id: party.clientId }
  const http = {
    [customFetch]: (url: string, init: object) => options.fetch(url, init),
    [allowInsecureRequests]: isLoopbackHost(issuer.hostname),
  }
  let known: { readonly server: AuthorizationServer; readonly until: number } | undefined

  async function find(): Promise<AuthorizationServer> {
    if (known !== undefined && known.until > now()) return known.server
    const response = await discoveryRequest(issuer, { algorithm: 'oidc', ...http })
    const server = await processDiscoveryResponse(issuer, response)
    known = { server, until: now() + metadataMs }
    return server
  }

  function authenticationAt({
    token_endpoint_auth_methods_supported: methods,
  }: AuthorizationServer): ClientAuth {
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    return isBasic ? ClientSecretBasic(party.clientSecret) : ClientSecretPost(party.clientSecret)
  }

  function tokensOf(answer: TokenEndpointResponse, before?: string): PartyTokens {
    const { refresh_token: refreshToken = before, expires_in: seconds } = answer
    const lifeMs = seconds === undefined ? assumedLifeMs : seconds * 1000
    return { expiresAt: now() + lifeMs, ...(refreshToken !== undefined && { refreshToken }) }
  }

  return {
    party,

    async begin({ state, nonce, verifier }) {
      const server = await find()
      const offline = server.scopes_supported?.includes('offline_access') ? ['offline_access'] : []
      const scopes = party.scopes ?? ['openid', 'profile', 'email', ...offline]
      const url = new URL(server.authorization_endpoint ?? '')
      const query = {
        response_type: 'code',
        client_id: party.clientId,
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(scopes.includes('offline_access') && { prompt: 'consent' }), // OpenID Connect 1.0, section 11
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
      const answer = await processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
      const claims = getValidatedIdTokenClaims(answer)
      if (claims === undefined) throw new Error(`${party.issuer} does not say who signed in`)
      return { claims, tokens: tokensOf(answer) }
    },

    async renew(refreshToken) {
      const server = await find()
      try {
        const auth = authenticationAt(server)
        const response = await refreshTokenGrantRequest(server, client, auth, refreshToken, http)
        return tokensOf(await processRefreshTokenResponse(server, client, response), refreshToken)
      } catch (error) {
        if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return undefined
        throw error
      }
    },
  }
}
