import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import type { ErrorResponse, Malformed, ResultResponse } from '../../rpc/message.ts'
import { createOwnRequests, type OwnRequests, type WriteMessage } from '../../rpc/own-requests.ts'
import type { PendingOptions } from '../../rpc/pending-requests.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import type { JsonObject } from '../../schema/json.ts'
import { decodeWireError } from '../../wire/error-codes.ts'

/** What a client says about our requests to it. A promise where another process has to hear of it first. */
export interface RequestAnswers {
  /** A response; one that nothing waits for is reported. */
  response(message: ResultResponse | ErrorResponse): MaybePromise<void>
  /** A response that cannot be read: its request must not wait for ever. */
  unreadable(message: Malformed): MaybePromise<void>
  /** `notifications/progress`. */
  progressed(params: JsonObject): MaybePromise<unknown>
}

/** Requests to a client that is reached by many streams: each goes out on one, and is cancelled there. */
export interface StreamRequests extends Omit<OwnRequests, keyof RequestAnswers>, RequestAnswers {
  sendOn(
    write: WriteMessage,
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
}

/** Their ids are higher than `after`. */
export function createStreamRequests(
  { clock, onError }: { readonly clock: Clock; readonly onError: OnError },
  after: number,
): StreamRequests {
  const streams = new Map<unknown, WriteMessage>()
  let current: WriteMessage | undefined
  const own = createOwnRequests({
    clock,
    after,
    write,
    decodeError: decodeWireError,
    report: (error, severity) => onError(error, { severity }),
  })

  /** A request goes to the stream it is being sent on, and its cancellation to the same. */
  function write(message: JsonObject): void {
    const { id, params } = message
    if (id !== undefined && current) streams.set(id, current)
    const cancelled = (params as JsonObject | undefined)?.['requestId'] // params are objects
    streams.get(id ?? cancelled)?.(message)
  }

  return {
    ...own,
    async sendOn(on, method, params, options) {
      current = on
      let sent = 0
      try {
        return await own.send(method, params, { ...options, onSent: (id) => (sent = id) })
      } finally {
        streams.delete(sent)
      }
    },
  }
}
