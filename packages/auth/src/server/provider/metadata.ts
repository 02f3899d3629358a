import { isJsonObject } from '@parley/mcp/json'

import { type JsonObject, stringsOf } from '../../shared/json-document.ts'
import type { Settings } from '../settings.ts'
import { serverScopes } from '../tokens/scopes.ts'

const oauth = '/.well-known/oauth-authorization-server'
const openid = '/.well-known/openid-configuration'

/** The provider's own place for its metadata. */
export const providerMetadataPath = oauth

/** Everywhere that clients look for the metadata of an issuer, with a path or without (RFC 8414, OpenID Discovery). */
export function isMetadataPath(pathname: string, { basePath }: Settings): boolean {
  const paths = [oauth + basePath, openid + basePath, basePath + openid, basePath + oauth]
  return paths.includes(pathname)
}

/** The provider's metadata with what it does not know: scopes of resources, and grants we added. */
export function completeMetadata(metadata: unknown, settings: Settings): JsonObject {
  if (!isJsonObject(metadata)) throw new TypeError('the provider gave no metadata')
  const scopes =
    settings.scopes === undefined ? settings.defaultScopes : Object.keys(settings.scopes)
  return {
    ...metadata,
    issuer: settings.issuer,
    scopes_supported: [...new Set([...scopes, ...serverScopes])],
    response_modes_supported: ['query'],
    revocation_endpoint_auth_methods_supported: metadata['token_endpoint_auth_methods_supported'],
    introspection_endpoint_auth_methods_supported: stringsOf(
      metadata['token_endpoint_auth_methods_supported'],
    )?.filter((method) => method !== 'none'),
    protected_resources: settings.resources,
  }
}

/** Paths below the issuer. The first three are those that clients of 2025-03-26 assume. */
export const routes = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  jwks: '/jwks',
  introspection: '/introspect',
  revocation: '/revoke',
  end_session: '/sign-out',
} as const

/** Where people sign in and agree. */
export const signInPath = '/sign-in'

/** Where a provider sends people back to, followed by its id. */
export const providerCallbackPath = '/sign-in-callback'
