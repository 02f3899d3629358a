import type { OnError } from '../../../rpc/errors/on-error.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { errorResponse, type RequestId } from '../../../rpc/message.ts'
import type { WriteMessage } from '../../../rpc/own-requests.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import type { JsonObject } from '../../../schema/json.ts'
import type { StateSecrets, SingleUseSet } from '../../../server/input/request-state.ts'
import {
  type StreamRequests,
  createStreamRequests,
} from '../../../server/sessions/stream-requests.ts'
import { encodeWireError } from '../../../wire/error-codes.ts'
import type { SharedService } from '../endpoint-service.ts'
import type { Claim } from '../session-streams.ts'
import type { HttpSession } from '../sessions/http-session.ts'
import { afterStore } from '../sessions/store-access.ts'
import type { Cluster } from './cluster.ts'

/**
 * Requests to a client whose answers may be posted to any process: their ids, and the tokens of their progress, name the
 * process that waits. What is for another is handed on by `forward`.
 */
function relayRequests(
  own: StreamRequests,
  node: string,
  forward: (to: string, message: JsonObject) => MaybePromise<void>,
): StreamRequests {
  const nameOf = (id: unknown): string => `${node}.${String(id)}`

  /** As the client sees it. */
  function named(message: JsonObject): JsonObject {
    const { id, params } = message as { readonly id?: number; readonly params?: Params } // as our own requests are written
    if (id === undefined) {
      return { ...message, params: { ...params, requestId: nameOf(params?.requestId) } } // it takes one back
    }
    const token = params?._meta?.['progressToken']
    if (token !== id) return { ...message, id: nameOf(id) }
    const _meta = { ...params?._meta, progressToken: nameOf(token) }
    return { ...message, id: nameOf(id), params: { ...params, _meta } }
  }

  return {
    ...own,
    sendOn(write: WriteMessage, method, params, options) {
      return own.sendOn((message) => write(named(message)), method, params, options)
    },

    response(message) {
      const place = placeOf(message.id)
      if (place === undefined) return own.response(message)
      if (place.node === node) return own.response({ ...message, id: place.number })
      const answer =
        message.kind === 'result'
          ? { jsonrpc: '2.0', id: message.id, result: message.result }
          : errorResponse(message.id, message.error)
      return forward(place.node, answer as JsonObject) // messages are JSON
    },

    unreadable(message) {
      const place = placeOf(message.id)
      if (place === undefined) return own.unreadable(message)
      if (place.node === node) return own.unreadable({ ...message, id: place.number })
      const refusal = errorResponse(message.id, encodeWireError(message.error))
      return forward(place.node, refusal as JsonObject) // messages are JSON
    },

    progressed(params) {
      const { progressToken } = params
      const place = placeOf(progressToken as RequestId | undefined) // anything else is refused there
      if (place === undefined) return own.progressed(params)
      if (place.node === node) return own.progressed({ ...params, progressToken: place.number })
      return forward(place.node, { jsonrpc: '2.0', method: 'notifications/progress', params })
    },
  }
}

interface Params extends JsonObject {
  readonly requestId?: RequestId
  readonly _meta?: JsonObject
}

/** Names of processes are letters and digits; numbers are exact. */
const relayedId = /^([0-9A-Za-z]{1,40})\.(\d{1,16})$/

/** Which process waits for the answer to a request with this id, and what it calls the request; undefined for other ids. */
function placeOf(
  id: RequestId | undefined,
): { readonly node: string; readonly number: number } | undefined {
  const [, node, number] = (typeof id === 'string' && relayedId.exec(id)) || []
  return node === undefined ? undefined : { node, number: Number(number) }
}

// What the clients of a session have for other processes. Without others there is nothing to do.

type Names = Pick<HttpSession, 'key' | 'quotaKey'>

/** Requests to the client, with ids higher than `after`. */
export function createRequests(
  service: SharedService,
  { key, quotaKey }: Names,
  after: number,
): StreamRequests {
  const { mail, forward } = service
  const own = createStreamRequests(service, after)
  if (mail === undefined || forward === undefined || key === undefined) return own
  return relayRequests(own, mail.node, (node, message) =>
    forward(quotaKey, 'from-client', { key, message }, node),
  )
}

/** Of what a client says about a request, as far as others are told it. */
const maxTextLength = 1_000

/** A client does not want the answer to a request that is not worked on here. */
export function cancelRemote(
  { forward }: SharedService,
  { key, quotaKey }: Names,
  requestId: RequestId,
  reason: string | undefined,
): MaybePromise<void> {
  const isShort = typeof requestId === 'number' || requestId.length <= maxTextLength
  if (key === undefined || !isShort) return
  const why = reason !== undefined && { reason: reason.slice(0, maxTextLength) }
  return forward?.(quotaKey, 'request-cancelled', { key, requestId, ...why })
}

/** The client is about to listen here, and nowhere else. Throws 429 or 503 if the others cannot be told. */
export function claimListening(
  { mail, forward }: SharedService,
  { key, quotaKey, streams }: HttpSession,
): MaybePromise<Claim | undefined> {
  if (mail === undefined || forward === undefined || key === undefined) return undefined
  const { listeners } = streams
  const claim = listeners.claim()
  const { node } = mail
  return afterStore(
    () => forward(quotaKey, 'listening', { key, node, listener: claim.id }),
    () => claim,
    (error) => {
      listeners.drop(claim)
      throw error
    },
  )
}

/** States that every process of a cluster opens, by the secrets of the service or the cluster's, and uses once in all. */
export function shareStates(
  own: StateSecrets,
  { secrets, once }: Pick<Cluster, 'secrets' | 'once'>,
  onError: OnError,
): StateSecrets {
  return { ...own, secrets: own.secrets ?? secrets, used: reporting(once, onError) }
}

/** A store that cannot be reached is no fault of the call. */
function reporting(once: SingleUseSet, onError: OnError): SingleUseSet {
  return {
    async add(key, ttlMs) {
      try {
        return await once.add(key, ttlMs)
      } catch (error) {
        onError(error, { severity: 'error', operation: 'store' })
        const why =
          'whether requestState has been used before cannot be known now: call again later'
        throw new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
      }
    },
  }
}
