import type { RequestId } from './message.ts'
import type { RawMessage } from './transport.ts'

/** Answers to the requests of one JSON-RPC batch, sent together as one array when the last is in. */
export interface BatchReplies {
  /** True if the reply belongs to a batch and was taken. */
  add(id: RequestId, reply: RawMessage): boolean
  /** The request will have no answer, because it was cancelled. */
  drop(id: RequestId): void
  /** Starts a batch: the requests to wait for, and the errors of members that are none. */
  open(ids: readonly RequestId[], refusals: readonly RawMessage[]): void
}

export function createBatchReplies(send: (message: RawMessage) => void): BatchReplies {
  const batches = new Map<RequestId, { waiting: number; readonly replies: RawMessage[] }>()

  function finish(id: RequestId, reply: RawMessage | undefined): boolean {
    const batch = batches.get(id)
    if (batch === undefined) return false
    batches.delete(id)
    if (reply !== undefined) batch.replies.push(reply)
    if (--batch.waiting === 0) flush(batch.replies)
    return true
  }

  function flush(replies: readonly RawMessage[]): void {
    if (replies.length === 0) return
    send(
      `[${replies.map((reply) => (typeof reply === 'string' ? reply : JSON.stringify(reply))).join(',')}]`,
    )
  }

  return {
    add: (id, reply) => batches.size > 0 && finish(id, reply),
    drop: (id) => void (batches.size > 0 && finish(id, undefined)),
    open(ids, refusals) {
      if (ids.length === 0) return flush(refusals)
      const batch = { waiting: ids.length, replies: [...refusals] }
      for (const id of ids) batches.set(id, batch)
    },
  }
}
