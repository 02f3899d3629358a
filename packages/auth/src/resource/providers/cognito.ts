import { audienceOf } from '../access-token.ts'
import type { IssuerRules } from '../options.ts'
import { scopesOf } from '../scopes.ts'

/**
 * Amazon Cognito. Access tokens have no audience unless the client bound them to a resource; then scopes prove it, which
 * begin with the identifier of their resource server: make that the server's URL.
 */
export function cognito({
  region,
  userPool,
}: {
  readonly region: string
  readonly userPool: string
}): IssuerRules {
  return {
    issuer: `https://cognito-idp.${region}.amazonaws.com/${userPool}`,
    acceptTyp: ['JWT', 'at+jwt'],
    claims: {
      audience: ({ aud, scope }) => (aud === undefined ? resourceServers(scope) : audienceOf(aud)),
      clientId: 'client_id',
      check: ({ token_use: use }) => use === 'access',
    },
  }
}

/** `https://notes.example.com/mcp/read` is the scope `read` of a resource server. */
function resourceServers(scope: unknown): readonly string[] {
  const custom = scopesOf(scope).filter((name) => name.includes('/'))
  return [...new Set(custom.map((name) => name.slice(0, name.lastIndexOf('/'))))]
}
