import type { IssuerRules } from '../options.ts'
import { scopesOf } from '../scopes.ts'

/**
 * Auth0. The issuer ends with a slash, tokens are also for `/userinfo`, and say `JWT` unless the API uses the RFC 9068
 * profile. Permissions of its role-based access control count as scopes.
 */
export function auth0({
  domain,
  audience,
}: {
  readonly domain: string
  readonly audience: string
}): IssuerRules {
  const issuer = `https://${domain}/`
  return {
    issuer,
    audience,
    extraAudiences: [`${issuer}userinfo`],
    acceptTyp: ['at+jwt', 'JWT'],
    claims: {
      scopes: ({ scope, permissions }) => [...scopesOf(scope), ...scopesOf(permissions)],
      check: ({ azp, client_id: client }) => typeof (azp ?? client) === 'string',
    },
  }
}
