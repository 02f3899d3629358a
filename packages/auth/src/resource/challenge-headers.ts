import type { Denial } from '@parley/mcp/http'

import { formatChallenge } from '../shared/challenge.ts'
import { algorithms } from './access-token.ts'
import type { DpopUse } from './options.ts'
import { metadataUrl } from './resource-metadata.ts'
import { askable } from './scopes.ts'

/** Why somebody is not let in. */
export interface Rejection {
  readonly resource: URL
  /** All that the operation needs. */
  readonly scopes: readonly string[]
  readonly error?:
    | 'invalid_request'
    | 'invalid_token'
    | 'insufficient_scope'
    | 'invalid_dpop_proof'
    | undefined
  readonly why: string
  readonly dpop: DpopUse
  /** The scheme to answer in. @defaultValue by `dpop` */
  readonly scheme?: 'bearer' | 'dpop' | undefined
}

/** Says what a client needs to do better, as RFC 6750, RFC 9449 and RFC 9728 have it. */
export function deny(status: 400 | 401 | 403, refusal: Rejection): Denial {
  const { resource, error, why, dpop } = refusal
  const { scheme = dpop === 'required' ? 'dpop' : 'bearer' } = refusal
  const scopes = askable(refusal.scopes)
  const challenge = formatChallenge(scheme === 'dpop' ? 'DPoP' : 'Bearer', {
    error,
    error_description: error === undefined ? undefined : why,
    resource_metadata: metadataUrl(resource),
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    algs: scheme === 'dpop' ? algorithms.join(' ') : undefined,
  })
  return { kind: 'deny', status, headers: { 'www-authenticate': challenge }, message: why }
}

/** It cannot be found out whether a token is good; that is not the caller's fault. */
export function unknown(cause: unknown): Denial {
  const message = 'authorization cannot be checked at the moment'
  return { kind: 'deny', status: 503, headers: { 'retry-after': '5' }, message, cause }
}
