import type { IssuerRules } from '../options.ts'
import { scopesOf } from '../scopes.ts'

/**
 * Microsoft Entra ID. Takes tokens of both versions, of people (`scp`) and of programs (`roles`). Clients must ask for
 * scopes as `api://<appId>/name`, tokens have the bare name: callers have both.
 */
export function entra({
  tenant,
  appId,
}: {
  readonly tenant: string
  readonly appId: string
}): IssuerRules {
  const login = `https://login.microsoftonline.com/${tenant}`
  const api = `api://${appId}`
  return {
    issuer: [`${login}/v2.0`, `https://sts.windows.net/${tenant}/`],
    audience: [appId, api],
    acceptTyp: ['JWT', 'at+jwt'],
    jwksUri: `${login}/discovery/v2.0/keys`,
    claims: {
      scopes: ({ scp, roles }) =>
        [...scopesOf(scp), ...scopesOf(roles)].flatMap((name) => [name, `${api}/${name}`]),
      clientId: ['azp', 'appid'],
      // ID tokens have the application as audience too, and may have roles; but they name no client.
      check: ({ tid, scp, roles, azp, appid }) =>
        tid === tenant &&
        typeof (azp ?? appid) === 'string' &&
        (scp !== undefined || roles !== undefined),
    },
  }
}
