import type { RequestId } from '../../../rpc/message.ts'
import {
  createPendingRequests,
  type PendingOptions,
  type PendingRequests,
} from '../../../rpc/pending-requests.ts'
import type { Clock } from '../../../rpc/time/clock.ts'
import type { JsonObject } from '../../../schema/json/json.ts'
import type { EventStream } from '../streams/event-stream.ts'

/** Requests to the client of one session that have no answer yet. */
export interface Questions
  extends
    Disposable,
    Pick<PendingRequests, 'count' | 'resolve' | 'reject' | 'progress' | 'rejectAll'> {
  /** The highest number that was used: no other question of the session may have it. */
  readonly last: number
  /** Asks on a stream, and takes the question back there if nobody waits for it any more. */
  ask(
    stream: EventStream,
    method: string,
    params: JsonObject | undefined,
    options: PendingOptions,
  ): Promise<JsonObject>
}

export function createQuestions(clock: Clock, after: number): Questions {
  const pending = createPendingRequests({ clock, onAbandoned: withdraw })
  const asked = new Map<number, EventStream>()
  let last = after

  /** A question we no longer wait for: the client should stop asking its user. */
  function withdraw(number: number, _method: string, reason: unknown): void {
    const text = reason instanceof Error ? reason.message : undefined
    const params = { requestId: after + number, ...(text !== undefined && { reason: text }) }
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
    asked.get(number)?.send(JSON.stringify(message))
  }

  function numberOf(id: RequestId): RequestId {
    return typeof id === 'number' ? id - after : id
  }

  return {
    get last() {
      return last
    },
    async ask(stream, method, params, limited) {
      let question = 0
      try {
        return await pending.open(method, limited, (number) => {
          question = number
          last = after + number
          asked.set(number, stream)
          stream.send(JSON.stringify({ jsonrpc: '2.0', id: last, method, params }))
        })
      } finally {
        asked.delete(question)
      }
    },
    count: pending.count,
    resolve: (id, result) => pending.resolve(numberOf(id), result),
    reject: (id, error) => pending.reject(numberOf(id), error),
    progress: (token, progress) => pending.progress(numberOf(token), progress),
    rejectAll: pending.rejectAll,
    [Symbol.dispose]: pending[Symbol.dispose],
  }
}
