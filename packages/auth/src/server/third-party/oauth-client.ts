/**
 * The client of an identity provider that supports OAuth but not OpenID Connect: authorization, tokens, refresh, and the user from an API.
 * Reads errors in the shapes of GitHub, Slack and Notion.
 *
 * `openid-client.ts` is its counterpart; both implement `ProviderClient` of `party-client.ts`.
 */

import { parseJsonObject } from '@parley/mcp/json'
import { calculatePKCECodeChallenge, validateAuthResponse } from 'oauth4webapi'

import { basicCredentials } from '../../resource/introspection.ts'
import { AuthError } from '../../shared/auth-error.ts'
import type { JsonObject } from '../../shared/json-document.ts'
import type { ProviderClient, ProviderContext, ProviderTokens } from './party-client.ts'
import type { OAuthProvider, ProviderClaims } from './provider-options.ts'

/** Us as a client of a provider that speaks OAuth and not OpenID. */
export function createOAuthClient(
  provider: OAuthProvider,
  context: ProviderContext,
): ProviderClient {
  const { clientId, clientSecret, name, issuer, pkce = true } = provider
  const { redirectUri, fetch, now } = context

  async function requestTokens(form: Record<string, string>): Promise<OAuthResponse> {
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

  function tokensOf(answer: OAuthResponse): ProviderTokens {
    if (answer.kind === 'refused') throw rejected(answer.error)
    const { body } = answer
    const tokens = tokensIn(provider.tokens ? provider.tokens(body) : body, now())
    if (tokens === undefined) throw rejected('an answer without a token')
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
    throw rejected(answer.error)
  }

  function rejected(error: string): AuthError {
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
      if (code === '' || more.length > 0) throw rejected(code === '' ? 'no code' : 'several codes')
      const tokens = tokensOf(
        await requestTokens({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          ...(pkce && { code_verifier: verifier }),
        }),
      )
      const claims = await findUser(tokens.accessToken)
      if (claims === undefined) throw rejected('nobody who can sign in')
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

/** An answer of a provider: what it said, or the name of its error. */
type OAuthResponse =
  | { readonly kind: 'answer'; readonly body: JsonObject }
  | { readonly kind: 'refused'; readonly error: string }

/** Errors that mean that somebody has to sign in again, and not that we made a mistake or the provider is in trouble. */
const overErrors = new Set([
  'invalid_grant',
  'bad_refresh_token', // GitHub
  'invalid_refresh_token', // Slack, as the next ones
  'token_revoked',
  'token_expired',
  'account_inactive',
  'authorization_not_found',
])

/** The same where a user's token is shown; at a token endpoint they could be about ourselves. */
const badTokenErrors = new Set(['invalid_token', 'invalid_auth', 'not_authed', 'status_401'])

/**
 * Reads an answer. Errors come with any status: GitHub sends 200 with `error`, Slack 200 with `ok: false`, Notion names them
 * `code`. Throws if the provider cannot answer now, or with something else than JSON.
 */
async function readAnswer(response: Response, host: string): Promise<OAuthResponse> {
  const { status, headers } = response
  if (status === 429 || status >= 500) {
    throw new AuthError('unreachable', `${host} answered with status ${status}`, { step: 'token' })
  }
  const body = parseJsonObject(await response.text())
  if (body === undefined && status !== 401) {
    const type = headers.get('content-type')?.split(';')[0]?.slice(0, 60) ?? 'nothing'
    const what = `${host} answered with ${type} instead of a JSON object (status ${status})`
    throw new AuthError('metadata_invalid', what, { step: 'token' })
  }
  const { error, ok, code } = body ?? {}
  if (typeof error === 'string' && error !== '') return rejectedResponse(error)
  if (status === 401) return rejectedResponse('status_401')
  if (status >= 400) return rejectedResponse(typeof code === 'string' ? code : `status_${status}`)
  return body === undefined || ok === false ? rejectedResponse('') : { kind: 'answer', body }
}

/** Only a name: words about it could repeat what we sent. */
function rejectedResponse(error: string): OAuthResponse {
  return { kind: 'refused', error: /^[\w.-]{1,60}$/.test(error) ? error : 'unknown_error' }
}

/** Whether a refresh token is not good any more. */
function isRefreshOver(error: string): boolean {
  return overErrors.has(error)
}

/** Whether an access token is not good any more. */
function isTokenOver(error: string): boolean {
  return overErrors.has(error) || badTokenErrors.has(error)
}

/** The tokens in an answer; undefined unless there is an access token that fits into a header. */
function tokensIn(body: JsonObject | undefined, now: number): ProviderTokens | undefined {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = body ?? {}
  if (!isToken(accessToken)) return undefined
  const lifeMs = Number(seconds) * 1000 // text at some
  return {
    accessToken,
    ...(isToken(refreshToken) && { refreshToken }),
    ...(lifeMs > 0 && lifeMs < Infinity && { expiresAt: now + lifeMs }),
  }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,16384}$/.test(value)
}
