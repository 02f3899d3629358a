import { calculatePKCECodeChallenge, validateAuthResponse } from 'oauth4webapi'

import { basicCredentials } from '../../resource/basic-credentials.ts'
import { AuthError } from '../../shared/auth-error.ts'
import {
  isRefreshOver,
  isTokenOver,
  readAnswer,
  tokensIn,
  type OAuthAnswer,
} from './oauth-answer.ts'
import type { OAuthProvider } from './oauth-provider.ts'
import type { ProviderClient, ProviderContext, ProviderTokens } from './party-client.ts'
import type { ProviderClaims } from './provider-options.ts'

/** Us as a client of a provider that speaks OAuth and not OpenID. */
export function createOAuthClient(
  provider: OAuthProvider,
  context: ProviderContext,
): ProviderClient {
  const { clientId, clientSecret, name, issuer, pkce = true } = provider
  const { redirectUri, fetch, now } = context

  async function requestTokens(form: Record<string, string>): Promise<OAuthAnswer> {
    const isBasic = provider.clientAuth === 'basic'
    const isJson = provider.tokenFormat === 'json'
    const fields = isBasic ? form : { ...form, client_id: clientId, client_secret: clientSecret }
    const response = await fetch(provider.tokenUrl, {
      method: 'POST',
      headers: {
        ...provider.apiHeaders,
        accept: 'application/json', // GitHub writes a form without it
        'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
        ...(isBasic && { authorization: basicCredentials(clientId, clientSecret) }),
      },
      body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
    })
    return readAnswer(response, new URL(provider.tokenUrl).host)
  }

  function tokensOf(answer: OAuthAnswer): ProviderTokens {
    if (answer.kind === 'refused') throw refused(answer.error)
    const { body } = answer
    const tokens = tokensIn(provider.tokens ? provider.tokens(body) : body, now())
    if (tokens === undefined) throw refused('an answer without a token')
    return tokens
  }

  /** Undefined for a token that is nobody's any more. */
  async function findUser(accessToken: string): Promise<ProviderClaims | undefined> {
    const response = await fetch(provider.userUrl, {
      headers: {
        accept: 'application/json',
        ...provider.apiHeaders,
        authorization: `Bearer ${accessToken}`,
      },
    })
    const answer = await readAnswer(response, new URL(provider.userUrl).host)
    if (answer.kind === 'answer') {
      const user = provider.user(answer.body)
      return user && isId(user.sub) ? user : undefined
    }
    if (isTokenOver(answer.error)) return undefined
    throw refused(answer.error)
  }

  function refused(error: string): AuthError {
    return new AuthError('token_refused', `${name} answered with ${error}`, { step: 'token' })
  }

  return {
    async begin({ state, verifier }) {
      const { scopes = [], scopeParameter = 'scope', scopeSeparator = ' ' } = provider
      const url = new URL(provider.authorizationUrl)
      const query = {
        ...provider.authorizeParams,
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        state,
        ...(scopes.length > 0 && { [scopeParameter]: scopes.join(scopeSeparator) }),
        ...(pkce && {
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
      }
      for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value)
      return url
    },

    async complete(callback, { state, verifier }) {
      const answer = new URLSearchParams(callback)
      if (issuer === undefined) answer.delete('iss') // there is nothing to compare it with
      const server = { issuer: issuer ?? new URL(provider.tokenUrl).origin }
      const checked = validateAuthResponse(server, { client_id: clientId }, answer, state)
      const [code = '', ...more] = checked.getAll('code')
      if (code === '' || more.length > 0) throw refused(code === '' ? 'no code' : 'several codes')
      const tokens = tokensOf(
        await requestTokens({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          ...(pkce && { code_verifier: verifier }),
        }),
      )
      const claims = await findUser(tokens.accessToken)
      if (claims === undefined) throw refused('nobody who can sign in')
      return { claims, tokens }
    },

    async renew(refreshToken) {
      const answer = await requestTokens({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        ...provider.refreshParams?.(redirectUri),
      })
      if (answer.kind === 'refused' && isRefreshOver(answer.error)) return undefined
      return { tokens: { refreshToken, ...tokensOf(answer) } }
    },

    async identify(accessToken) {
      return (await findUser(accessToken))?.sub
    },
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 300
}
