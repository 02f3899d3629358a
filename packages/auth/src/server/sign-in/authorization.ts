import { addressBlock } from '@parley/mcp/address'

import type { SignInCaller } from '../caller.ts'
import { confirmUnverifiedRedirect } from '../clients/unverified-redirect.ts'
import { rejectionResponse } from '../pages/refusal.ts'
import { routes } from '../provider/metadata.ts'
import type { BridgedRequest } from '../provider/node-bridge.ts'
import { createRateLimit } from '../rate-limit.ts'
import type { Settings } from '../settings.ts'
import { withDefaultScopes } from '../tokens/scopes.ts'

/** Each request that begins a sign-in is remembered for an hour; so many are from one address in ten minutes. */
const maxBegun = 600

/** Answers requests that begin a sign-in. */
export function createAuthorizationRoute(settings: Settings) {
  const { now, audit, name } = settings
  const signIns = createRateLimit({ max: maxBegun, windowMs: 600_000, now })

  return async (
    bridged: BridgedRequest,
    forward: (bridged: BridgedRequest) => Promise<Response>,
    { address }: SignInCaller,
  ): Promise<Response> => {
    const query = new URLSearchParams(bridged.target.slice(routes.authorization.length))
    const block = address === undefined ? undefined : addressBlock(address)
    const waitMs = block === undefined ? 0 : signIns.waitMs(block)
    if (waitMs > 0) {
      audit({ type: 'authorization_refused', address, reason: 'too many requests' })
      const response = rejectionResponse(
        429,
        name,
        'There were too many attempts. Try again later.',
      )
      response.headers.set('retry-after', String(Math.ceil(waitMs / 1000)))
      return response
    }
    if (block !== undefined) signIns.count(block)
    const clientId = query.get('client_id')
    const response = await forward({ ...bridged, target: withDefaults(query, settings) })
    return confirmUnverifiedRedirect(response, clientId, settings)
  }
}

/** A request that names no scope or resource means the default ones. */
function withDefaults(query: URLSearchParams, settings: Settings): string {
  // A token is for one resource; this is none, and so the client is told.
  if (query.getAll('resource').length > 1) query.set('resource', 'urn:several')
  if (query.getAll('scope').length < 2) {
    query.set('scope', withDefaultScopes(query.get('scope') ?? undefined, settings))
  }
  return `${routes.authorization}?${query.toString()}`
}
