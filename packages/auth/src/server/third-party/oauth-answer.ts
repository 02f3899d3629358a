import { parseJsonObject } from '@parley/mcp/json'

import { AuthError } from '../../shared/auth-error.ts'
import { type JsonObject } from '../../shared/json.ts'
import type { ProviderTokens } from './party-client.ts'

/** An answer of a provider: what it said, or the name of its error. */
export type OAuthAnswer =
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
export async function readAnswer(response: Response, host: string): Promise<OAuthAnswer> {
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
  if (typeof error === 'string' && error !== '') return refused(error)
  if (status === 401) return refused('status_401')
  if (status >= 400) return refused(typeof code === 'string' ? code : `status_${status}`)
  return body === undefined || ok === false ? refused('') : { kind: 'answer', body }
}

/** Only a name: words about it could repeat what we sent. */
function refused(error: string): OAuthAnswer {
  return { kind: 'refused', error: /^[\w.-]{1,60}$/.test(error) ? error : 'unknown_error' }
}

/** Whether a refresh token is not good any more. */
export function isRefreshOver(error: string): boolean {
  return overErrors.has(error)
}

/** Whether an access token is not good any more. */
export function isTokenOver(error: string): boolean {
  return overErrors.has(error) || badTokenErrors.has(error)
}

/** The tokens in an answer; undefined unless there is an access token that fits into a header. */
export function tokensIn(body: JsonObject | undefined, now: number): ProviderTokens | undefined {
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
