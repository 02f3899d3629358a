import type { AuthInfo } from '@parley/mcp'

import type { Rejection } from './challenge-headers.ts'
import { findProofFault } from './dpop-proof.ts'
import type { DpopUse, VerifierRequest } from './options.ts'
import { createReplayed, replayedAnywhere, type OnceStore } from './replayed.ts'
import { sha256 } from './sha256.ts'

/** Why the sender may not use this token, or undefined if it may. */
export type SenderFault = Pick<Rejection, 'error' | 'why' | 'scheme'>
export type SenderCheck = (
  scheme: 'bearer' | 'dpop',
  auth: AuthInfo,
  token: string,
  request: VerifierRequest,
) => SenderFault | undefined | Promise<SenderFault | undefined>

/** A token bound to a key is only good in the hands of who has the key (RFC 9449). */
export function createSenderCheck(dpop: DpopUse, once?: OnceStore): SenderCheck {
  const replayed = once === undefined ? createReplayed() : replayedAnywhere(once)

  async function proves(
    jkt: string,
    token: string,
    { method, target, resource, header }: VerifierRequest,
  ): Promise<SenderFault | undefined> {
    const [path = '/'] = target.split('?', 1)
    const why = await findProofFault(header('dpop'), {
      method,
      urls: [`${resource.origin}${resource.pathname}`, `${resource.origin}${path}`],
      tokenHash: await sha256(token),
      jkt,
      replayed,
    })
    return why === undefined ? undefined : { error: 'invalid_dpop_proof', why, scheme: 'dpop' }
  }

  return (scheme, { confirmation }, token, request) => {
    if (dpop === 'off') return scheme === 'bearer' ? undefined : refused('DPoP is not used here')
    if (confirmation && scheme === 'dpop') return proves(confirmation.jkt, token, request)
    if (confirmation) return refused('the token is bound to a key and needs a proof', 'dpop')
    if (scheme === 'bearer' && dpop === 'optional') return undefined
    return refused('the token is not bound to a key', 'dpop')
  }
}

function refused(why: string, scheme: 'bearer' | 'dpop' = 'bearer'): SenderFault {
  return { error: 'invalid_token', why, scheme }
}
