import type { IssuerRules } from '../options.ts'

/**
 * Keycloak. Tokens say `JWT` in their header and what they are in a claim; most are also for its own `account` service.
 * An audience mapper must put the server's URL into `aud`.
 */
export function keycloak({
  url,
  realm,
}: {
  readonly url: string
  readonly realm: string
}): IssuerRules {
  return {
    issuer: `${url.replace(/\/$/, '')}/realms/${realm}`,
    extraAudiences: ['account'],
    acceptTyp: ['JWT', 'at+jwt'],
    claims: {
      clientId: 'azp',
      check: ({ typ }) => typ === 'Bearer' || typ === 'DPoP',
    },
  }
}
