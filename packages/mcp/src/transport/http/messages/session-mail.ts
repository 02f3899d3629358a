import type { RequestId } from '../../../rpc/message.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import { createStreamRequests, type StreamRequests } from '../../../server/peer/stream-requests.ts'
import type { SharedService } from '../service.ts'
import type { HttpSession } from '../sessions/http-session.ts'
import type { Claim } from '../sessions/listeners.ts'
import { afterStore } from '../sessions/store-access.ts'
import { relayRequests } from './relayed-requests.ts'

// What the clients of a session have for other processes. Without others there is nothing to do.

type Names = Pick<HttpSession, 'key' | 'account'>

/** Requests to the client, with ids higher than `after`. */
export function createRequests(
  service: SharedService,
  { key, account }: Names,
  after: number,
): StreamRequests {
  const { mail, handOn } = service
  const own = createStreamRequests(service, after)
  if (mail === undefined || handOn === undefined || key === undefined) return own
  return relayRequests(own, mail.node, (node, message) =>
    handOn(account, 'from-client', { key, message }, node),
  )
}

/** Of what a client says about a request, as far as others are told it. */
const longestText = 1_000

/** A client does not want the answer to a request that is not worked on here. */
export function cancelElsewhere(
  { handOn }: SharedService,
  { key, account }: Names,
  requestId: RequestId,
  reason: string | undefined,
): MaybePromise<void> {
  const isShort = typeof requestId === 'number' || requestId.length <= longestText
  if (key === undefined || !isShort) return
  const why = reason !== undefined && { reason: reason.slice(0, longestText) }
  return handOn?.(account, 'request-cancelled', { key, requestId, ...why })
}

/** The client is about to listen here, and nowhere else. Throws 429 or 503 if the others cannot be told. */
export function claimListening(
  { mail, handOn }: SharedService,
  { key, account, streams }: HttpSession,
): MaybePromise<Claim | undefined> {
  if (mail === undefined || handOn === undefined || key === undefined) return undefined
  const { listeners } = streams
  const claim = listeners.claim()
  const { node } = mail
  return afterStore(
    () => handOn(account, 'listening', { key, node, listener: claim.id }),
    () => claim,
    (error) => {
      listeners.drop(claim)
      throw error
    },
  )
}
