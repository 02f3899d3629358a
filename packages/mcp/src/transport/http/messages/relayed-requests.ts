import { errorResponse, type RequestId } from '../../../rpc/message.ts'
import type { WriteMessage } from '../../../rpc/own-requests.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import type { JsonObject } from '../../../schema/json/json.ts'
import type { StreamRequests } from '../../../server/peer/stream-requests.ts'
import { encodeWireError } from '../../../wire/error-codes.ts'

/**
 * Requests to a client whose answers may be posted to any process: their ids, and the tokens of their progress, name the
 * process that waits. What is for another is handed on by `handOn`.
 */
export function relayRequests(
  own: StreamRequests,
  node: string,
  handOn: (to: string, message: JsonObject) => MaybePromise<void>,
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
      return handOn(place.node, answer as JsonObject) // messages are JSON
    },

    unreadable(message) {
      const place = placeOf(message.id)
      if (place === undefined) return own.unreadable(message)
      if (place.node === node) return own.unreadable({ ...message, id: place.number })
      const refusal = errorResponse(message.id, encodeWireError(message.error))
      return handOn(place.node, refusal as JsonObject) // messages are JSON
    },

    progressed(params) {
      const { progressToken } = params
      const place = placeOf(progressToken as RequestId | undefined) // anything else is refused there
      if (place === undefined) return own.progressed(params)
      if (place.node === node) return own.progressed({ ...params, progressToken: place.number })
      return handOn(place.node, { jsonrpc: '2.0', method: 'notifications/progress', params })
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
