import type { Client, KoaContextWithOIDC, ResourceServer } from 'oidc-provider'

import { parseUrl } from '../../shared/url-rules.ts'
import type { Settings } from '../settings.ts'

/** Scopes that are about signing in and not about a resource. */
export const serverScopes: readonly string[] = ['openid', 'offline_access']

/** Splits a scope parameter. */
export function splitScopes(text: string | undefined): readonly string[] {
  return [...new Set(text?.split(' ').filter((word) => word !== ''))]
}

/** The scopes of a resource that a request names. */
export function resourceScopes(text: string | undefined): readonly string[] {
  return splitScopes(text).filter((scope) => !serverScopes.includes(scope))
}

/** Adds the default scopes to a request that names none of a resource. */
export function withDefaultScopes(text: string | undefined, { defaultScopes }: Settings): string {
  const requested = splitScopes(text)
  const isComplete = requested.some((scope) => !serverScopes.includes(scope))
  return (isComplete ? requested : [...requested, ...defaultScopes]).join(' ')
}

/** The scopes that a client may have at all in this request. */
function allowedScopes(
  context: KoaContextWithOIDC,
  client: Client,
  settings: Settings,
): readonly string[] {
  return scopeLimit(client.clientId, settings) ?? namedScopes(context)
}

/** The most a client may have; undefined if nothing says so. */
export function scopeLimit(
  id: string,
  { scopes, clients }: Settings,
): readonly string[] | undefined {
  const limit = clients.find(({ clientId }) => clientId === id)?.scopes
  return limit ?? (scopes && Object.keys(scopes))
}

/** Without a list of scopes there are those that were asked for when it began. */
function namedScopes({ oidc }: KoaContextWithOIDC): readonly string[] {
  const { AuthorizationCode, RefreshToken } = oidc.entities
  const requested = typeof oidc.params?.['scope'] === 'string' ? oidc.params['scope'] : undefined
  return [requested, AuthorizationCode?.scope, RefreshToken?.scope].flatMap(resourceScopes)
}

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
