import { addressBlock } from '@parley/mcp/address'
import { parseJsonObject } from '@parley/mcp/json'

import { type JsonObject } from '../../shared/json-document.ts'
import type { SignInCaller } from '../caller.ts'
import type { BridgedRequest } from '../provider/node-bridge.ts'
import { createRateLimit } from '../rate-limit.ts'
import type { Settings } from '../settings.ts'
import { readClientMetadata } from './client-metadata.ts'

const minute = 60_000
const maxBytes = 16 * 1024

/** A registration to hand on to the provider, or the answer to give instead. */
type Registration =
  | { readonly kind: 'pass'; readonly body: Uint8Array }
  | { readonly kind: 'answer'; readonly response: Response }

/** Answers clients that want to register themselves. */
export function createRegistrationRoute(settings: Settings) {
  const decide = createRegistrationPolicy(settings)

  return async (
    bridged: BridgedRequest,
    forward: (bridged: BridgedRequest) => Promise<Response>,
    { address }: SignInCaller,
  ): Promise<Response> => {
    if (settings.registration === 'off') {
      return jsonError(404, 'not_found', 'clients cannot register themselves here')
    }
    if (bridged.method === 'OPTIONS') return openToPages(new Response(null, { status: 204 }))
    if (bridged.method !== 'POST') return forward(bridged)
    const decision = decide(bridged.body ?? new Uint8Array(), address)
    if (decision.kind === 'answer') return openToPages(decision.response)
    return openToPages(await forward({ ...bridged, body: decision.body }))
  }
}

function createRegistrationPolicy(settings: Settings) {
  const { audit, now } = settings
  const byAddress = createRateLimit({ max: 10, windowMs: 10 * minute, now })
  const all = createRateLimit({ max: 60, windowMs: 10 * minute, now })

  function reject(status: number, error: string, why: string, address?: string): Registration {
    audit({ type: 'registration_refused', reason: why, address })
    return { kind: 'answer', response: jsonError(status, error, why) }
  }

  return (body: Uint8Array, address: string | undefined): Registration => {
    const block = address === undefined ? undefined : addressBlock(address)
    const waitMs = Math.max(all.waitMs(''), block === undefined ? 0 : byAddress.waitMs(block))
    if (waitMs > 0) {
      const rejection = reject(429, 'temporarily_unavailable', 'too many registrations', address)
      if (rejection.kind === 'answer') {
        rejection.response.headers.set('retry-after', String(Math.ceil(waitMs / 1000)))
      }
      return rejection
    }
    all.count('')
    if (block !== undefined) byAddress.count(block)
    if (body.byteLength > maxBytes) return reject(413, 'invalid_client_metadata', 'it is too long')
    const read = readClientMetadata(parseJsonObject(new TextDecoder().decode(body)), settings)
    if (read.kind === 'faulty') {
      const isRedirect = read.field === 'redirect_uris'
      const code = isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata'
      return reject(400, code, read.why, address)
    }
    return { kind: 'pass', body: new TextEncoder().encode(JSON.stringify(read.metadata)) }
  }
}

/** There is nothing in a browser that would make a page's registration another one than a stranger's. */
function openToPages(response: Response): Response {
  response.headers.set('access-control-allow-origin', '*')
  response.headers.set('access-control-allow-methods', 'POST')
  response.headers.set('access-control-allow-headers', 'content-type')
  return response
}

/** An error in the form of RFC 6749 section 5.2. */
export function jsonError(status: number, error: string, description: string): Response {
  const body: JsonObject = { error, error_description: description }
  const headers = { 'cache-control': 'no-store' }
  return Response.json(body, { status, headers })
}
