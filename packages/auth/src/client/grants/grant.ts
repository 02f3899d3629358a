import { isJsonObject, parseJsonObject } from '@parley/mcp/json'
import type { TokenEndpointResponse } from 'oauth4webapi'

import { stringsOf } from '../../shared/json-document.ts'
import { decodeIdentity, type ClientIdentity } from '../identity/client-identity.ts'
import type { PrivateJwk } from '../options.ts'
import { splitScopes } from '../tokens/scopes.ts'

/** The tokens that an issuer gave us for one server. Secret. */
export interface Grant {
  readonly accessToken: string
  readonly tokenType: 'bearer' | 'dpop'
  /** In milliseconds since 1970; unknown if the issuer does not say. */
  readonly expiresAt?: number | undefined
  readonly lifetimeMs?: number | undefined
  readonly refreshToken?: string | undefined
  /** Asked for in the course of time; a later request asks for these too. */
  readonly requested: readonly string[]
  /** The granted scopes, if they differ. */
  readonly granted?: readonly string[] | undefined
  readonly clientId: string
  /** The registration it was given to, if we made one; a later one does not take its place here. */
  readonly registered?: ClientIdentity | undefined
  /** The tokens are bound to it. */
  readonly dpopJwk?: PrivateJwk | undefined
}

/** The request that a grant was obtained by. */
export interface GrantOrigin {
  readonly identity: ClientIdentity
  readonly requested: readonly string[]
  readonly dpopJwk?: PrivateJwk | undefined
  /** An answer without a refresh token leaves the one we have. */
  readonly refreshToken?: string | undefined
}

/** The grant in an answer of the token endpoint. */
export function grantFrom(token: TokenEndpointResponse, origin: GrantOrigin, now: number): Grant {
  const { identity } = origin
  const { expires_in, refresh_token = origin.refreshToken } = token
  const lifetimeMs = expires_in === undefined ? undefined : expires_in * 1000
  const granted = splitScopes(token.scope)
  return {
    accessToken: token.access_token,
    tokenType: token.token_type === 'dpop' ? 'dpop' : 'bearer',
    requested: origin.requested,
    clientId: identity.id,
    ...(identity.source === 'registered' && { registered: identity }),
    ...(lifetimeMs !== undefined && { lifetimeMs, expiresAt: now + lifetimeMs }),
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(granted !== undefined && { granted }),
    ...(origin.dpopJwk !== undefined && { dpopJwk: origin.dpopJwk }),
  }
}

/** Whether it is time to refresh: a minute before the end, or a tenth of the lifetime if that is less. */
export function isExpiring({ expiresAt, lifetimeMs = 0 }: Grant, now: number): boolean {
  return expiresAt !== undefined && expiresAt - now <= Math.min(60_000, lifetimeMs / 10)
}

/** Whether it is of no use any longer. */
export function isExpired({ expiresAt }: Grant, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/** For the store. */
export function encodeGrant(grant: Grant): string {
  return JSON.stringify(grant)
}

/** Total: what is not a grant of ours is none. */
export function decodeGrant(text: string): Grant | undefined {
  const value = parseJsonObject(text)
  if (value === undefined) return undefined
  const { accessToken, tokenType, clientId, refreshToken, expiresAt, lifetimeMs, dpopJwk } = value
  const registered = decodeIdentity(value['registered'])
  const requested = stringsOf(value['requested'])
  const granted = stringsOf(value['granted'])
  if (typeof accessToken !== 'string' || typeof clientId !== 'string') return undefined
  if (requested === undefined || (tokenType !== 'bearer' && tokenType !== 'dpop')) return undefined
  const hasKey = isJsonObject(dpopJwk) && typeof dpopJwk['kty'] === 'string'
  if (tokenType === 'dpop' && !hasKey) return undefined
  return {
    accessToken,
    tokenType,
    clientId,
    requested,
    ...(registered !== undefined && { registered }),
    ...(granted !== undefined && { granted }),
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(typeof lifetimeMs === 'number' && { lifetimeMs }),
    ...(hasKey && { dpopJwk: dpopJwk as PrivateJwk }), // kty was just checked
  }
}
