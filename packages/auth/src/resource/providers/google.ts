import { parseJsonObject } from '@parley/mcp/json'

import { AuthError } from '../../shared/auth-error.ts'
import { bindable, type IssuerAccess } from '../issuer-access.ts'
import type { IssuerRules, TokenVerifier } from '../options.ts'
import { scopesOf } from '../scopes.ts'

const issuer = 'https://accounts.google.com'
const endpoint = 'https://oauth2.googleapis.com/tokeninfo'

/** Google. Its access tokens can only be asked about, and are issued for a client: name those of yours. */
export function google({ clientIds }: { readonly clientIds: readonly string[] }): IssuerRules {
  return { issuer, audience: clientIds, verify: bindable(askGoogle) }
}

function askGoogle(access: IssuerAccess): TokenVerifier {
  return async (token) => {
    // Not in the query, where logs would keep it.
    const response = await access.fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ access_token: token }).toString(),
      redirect: 'manual',
    })
    if (response.status === 400) return undefined
    const claims = response.status === 200 ? parseJsonObject(await response.text()) : undefined
    if (claims === undefined) throw away(response.status)
    const { aud, azp, sub, scope, exp } = claims
    const expiresAt = Number(exp) * 1000 // text, unlike everywhere else
    if (typeof aud !== 'string' || typeof sub !== 'string' || !(expiresAt > 0)) return undefined
    return {
      issuer,
      subject: sub,
      clientId: typeof azp === 'string' ? azp : aud,
      scopes: new Set(scopesOf(scope)),
      audience: [aud],
      expiresAt,
      claims,
    }
  }
}

function away(status: number): AuthError {
  return new AuthError('unreachable', `Google cannot check tokens: status ${status}`, {
    step: 'verify',
    issuer,
  })
}
