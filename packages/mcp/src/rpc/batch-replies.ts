import type { OnError } from './errors/error-report.ts'
import { RpcError } from './errors/rpc-error.ts'
import { errorResponse, type Batch, type RequestId, type WireError } from './message.ts'
import type { MaybePromise } from './promise.ts'
import type { RawMessage } from './transport.ts'

/** Answers to the requests of one JSON-RPC batch, sent together as one array when the last is in. */
export interface BatchReplies {
  /** True if the reply belongs to a batch and was taken. Throws, and leaves it open, for what has no JSON. */
  add(id: RequestId, reply: RawMessage): boolean
  /** The request will have no answer, because it was cancelled. */
  drop(id: RequestId): void
  /** Takes a batch: its requests are waited for, but for those whose id is in use. Undefined, or why it is none. */
  accept(
    members: Batch['members'],
    encodeError: (error: RpcError) => WireError,
    isInUse?: (id: RequestId) => boolean,
  ): RpcError | undefined
  /** Works on the members in turns. Absent: on all of them at once. */
  inTurns?(
    members: Batch['members'],
    receive: (member: Batch['members'][number]) => void,
  ): MaybePromise<void>
}

/** How what answers batches is made for a connection. */
export type CreateBatchReplies = (
  send: (message: RawMessage) => void,
  options: {
    readonly limits: { readonly batchBytes?: number }
    readonly encodeError: (error: RpcError) => WireError
    readonly onError: OnError
  },
) => BatchReplies

interface OpenBatch {
  waiting: number
  length: number
  readonly replies: string[]
}

/** `fit` makes of an answer what still has a place behind so many characters. */
export function createBatchReplies(
  send: (message: RawMessage) => void,
  fit: (id: RequestId, reply: string, length: number) => string = (_, reply) => reply,
): BatchReplies {
  const batches = new Map<RequestId, OpenBatch>()

  function finish(id: RequestId, reply: RawMessage | undefined): boolean {
    const batch = batches.get(id)
    if (batch === undefined) return false
    if (reply !== undefined) {
      const text = fit(id, textOf(reply), batch.length)
      batch.length += text.length
      batch.replies.push(text)
    }
    batches.delete(id)
    if (--batch.waiting === 0) flush(batch.replies)
    return true
  }

  function flush(replies: readonly string[]): void {
    if (replies.length > 0) send(`[${replies.join(',')}]`)
  }

  /** The requests to wait for, and the errors of members that are none. */
  function open(ids: readonly RequestId[], refusals: readonly RawMessage[]): void {
    // An id twice, or one still in use, has one answer only: where it was first asked for.
    const fresh = [...new Set(ids)].filter((id) => !batches.has(id))
    const batch = { waiting: fresh.length, length: 0, replies: refusals.map(textOf) }
    for (const id of fresh) batches.set(id, batch)
    if (fresh.length === 0) flush(batch.replies)
  }

  return {
    accept(members, encodeError, isInUse = () => false) {
      if (members.length === 0) return new RpcError('invalid_request', 'an empty batch')
      const requests = members.filter((member) => member.kind === 'request')
      if (requests.some(({ method }) => method === 'initialize')) {
        return new RpcError('invalid_request', 'initialize may not be part of a batch')
      }
      const refusals = members
        .filter((member) => member.kind === 'malformed')
        .filter(({ isAnswerable }) => isAnswerable)
        .map(({ id, error }) => errorResponse(id, encodeError(error)))
      const ids = requests.map(({ id }) => id).filter((id) => !isInUse(id))
      open(ids, refusals)
      return undefined
    },
    add: (id, reply) => batches.size > 0 && finish(id, reply),
    drop: (id) => void (batches.size > 0 && finish(id, undefined)),
  }
}

/** Not the one for prepared answers, which clients have none of: they answer in batches too. */
function textOf(reply: RawMessage): string {
  return typeof reply === 'string' ? reply : JSON.stringify(reply)
}
