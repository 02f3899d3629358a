import type { Client, KoaContextWithOIDC, ResourceServer } from 'oidc-provider'

import { parseUrl } from '../../shared/url-rules.ts'
import type { Settings } from '../settings.ts'
import { allowedScopes } from './scopes.ts'

/** The resource that a request means, as it is configured; a slash after a bare origin makes no difference. */
export function findResource(named: string, resources: readonly string[]): string | undefined {
  return resources.find((resource) => resource === named || bare(resource) === bare(named))
}

function bare(text: string): string {
  const url = parseUrl(text)
  return url !== undefined && text === url.origin ? url.href : text
}

/** How tokens for a resource look; undefined if there is none. */
export function describeResource(
  context: KoaContextWithOIDC,
  named: string,
  client: Client,
  settings: Settings,
): ResourceServer | undefined {
  const audience = findResource(named, settings.resources)
  if (audience === undefined) return undefined
  const scopes = allowedScopes(context, client, settings)
  const { params } = context.oidc
  // Nobody is asked in this grant: naming no scope means all that was agreed on.
  if (params?.['grant_type'] === 'client_credentials') params['scope'] ??= scopes.join(' ')
  return {
    scope: scopes.join(' '),
    audience,
    accessTokenTTL: settings.accessTokenSeconds,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'ES256' } },
  }
}
