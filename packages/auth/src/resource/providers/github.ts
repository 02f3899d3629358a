import { isJsonObject, parseJsonObject } from '@parley/mcp/json'

import { AuthError } from '../../shared/auth-error.ts'
import { type JsonObject } from '../../shared/json-document.ts'
import { basicCredentials } from '../introspection.ts'
import { bindable, type IssuerAccess } from '../issuer-access.ts'
import type { IssuerRules, TokenVerifier } from '../options.ts'
import { scopesOf } from '../scopes.ts'

const issuer = 'https://github.com/login/oauth'

interface GithubOptions {
  readonly clientId: string
  readonly clientSecret: string
}

/** GitHub. Tokens are asked about at the application they must be of; other applications' tokens are unknown there. */
export function github(options: GithubOptions): IssuerRules {
  return { issuer, audience: options.clientId, verify: bindable((access) => ask(access, options)) }
}

function ask(access: IssuerAccess, { clientId, clientSecret }: GithubOptions): TokenVerifier {
  const endpoint = `https://api.github.com/applications/${encodeURIComponent(clientId)}/token`
  return async (token) => {
    const response = await access.fetch(endpoint, {
      method: 'POST',
      headers: {
        accept: 'application/vnd.github+json',
        'content-type': 'application/json',
        authorization: basicCredentials(clientId, clientSecret),
        'user-agent': 'parley', // refused without one
      },
      body: JSON.stringify({ access_token: token }),
      redirect: 'manual',
    })
    if (response.status === 404 || response.status === 422) return undefined
    const claims = response.status === 200 ? parseJsonObject(await response.text()) : undefined
    if (claims === undefined) throw away(response.status)
    return read(claims)
  }
}

function read(claims: JsonObject) {
  const { user, app, scopes, expires_at: until } = claims
  const id = isJsonObject(user) ? user['id'] : undefined
  const client = isJsonObject(app) ? app['client_id'] : undefined
  if (typeof id !== 'number' || typeof client !== 'string') return undefined
  return {
    issuer,
    subject: String(id), // names change hands
    clientId: client,
    scopes: new Set(scopesOf(scopes)),
    audience: [client],
    expiresAt: typeof until === 'string' ? Date.parse(until) : Infinity,
    claims,
  }
}

function away(status: number): AuthError {
  return new AuthError('unreachable', `GitHub cannot check tokens: status ${status}`, {
    step: 'verify',
    issuer,
    hint: status === 401 ? 'Check clientId and clientSecret of the application.' : undefined,
  })
}
