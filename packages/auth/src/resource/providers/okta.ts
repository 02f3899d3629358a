import type { IssuerRules } from '../options.ts'

/**
 * Okta, a custom authorization server. Tokens do not say what they are; access tokens have `cid` and `scp`. The audience
 * is a setting of the authorization server: make it the server's URL, or spread these rules and name it.
 */
export function okta({
  domain,
  server = 'default',
}: {
  readonly domain: string
  readonly server?: string | undefined
}): IssuerRules {
  return {
    issuer: `https://${domain}/oauth2/${server}`,
    acceptTyp: ['JWT', 'at+jwt'],
    claims: {
      scopes: 'scp',
      clientId: 'cid',
      check: ({ cid }) => typeof cid === 'string',
    },
  }
}
