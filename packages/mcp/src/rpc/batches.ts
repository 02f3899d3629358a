import { RpcError } from './errors/rpc-error.ts'
import { errorResponse, type Batch, type RequestId, type WireError } from './message.ts'
import type { RawMessage } from './transport.ts'

/** Why these messages may not be one batch. */
export function batchRejection(
  members: Batch['members'],
  hasBatches: boolean,
): RpcError | undefined {
  let why: string | undefined
  if (!hasBatches) why = 'this revision has no batches: send one message at a time'
  else if (members.length === 0) why = 'an empty batch'
  else if (members.some((member) => member.kind === 'request' && member.method === 'initialize')) {
    why = 'initialize may not be part of a batch'
  }
  return why === undefined ? undefined : new RpcError('invalid_request', why)
}

/** Returns how to respond to a batch: the ids of its requests, and errors for members that are not messages. */
export function expectedOf(
  members: Batch['members'],
  encodeError: (error: RpcError) => WireError,
): { readonly ids: readonly RequestId[]; readonly rejections: readonly object[] } {
  const ids: RequestId[] = []
  const rejections: object[] = []
  for (const member of members) {
    if (member.kind === 'request') ids.push(member.id)
    else if (member.kind === 'malformed' && member.isAnswerable) {
      rejections.push(errorResponse(member.id, encodeError(member.error)))
    }
  }
  return { ids, rejections }
}

/** Answers to the requests of one JSON-RPC batch, sent together as one array when the last is in. */
export interface BatchReplies {
  /** The requests to wait for, and the errors of members that are none. */
  open(ids: readonly RequestId[], rejections: readonly RawMessage[]): void
  /** True if the reply belongs to a batch and was taken. Throws, and leaves it open, for what has no JSON. */
  add(id: RequestId, reply: RawMessage): boolean
  /** The request will have no answer, because it was cancelled. */
  drop(id: RequestId): void
}

export type CreateReplies = (send: (message: RawMessage) => void) => BatchReplies

/** Makes of an answer what still has a place behind so many characters. */
type FitReply = (id: RequestId, reply: string, length: number) => string

interface OpenBatch {
  waiting: number
  length: number
  readonly replies: string[]
}

export function createBatchReplies(
  send: (message: RawMessage) => void,
  fit: FitReply = (_, reply) => reply,
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

  function open(ids: readonly RequestId[], rejections: readonly RawMessage[]): void {
    // An id twice, or one still in use, has one answer only: where it was first asked for.
    const fresh = [...new Set(ids)].filter((id) => !batches.has(id))
    const batch = { waiting: fresh.length, length: 0, replies: rejections.map(textOf) }
    for (const id of fresh) batches.set(id, batch)
    if (fresh.length === 0) flush(batch.replies)
  }

  return {
    open,
    add: (id, reply) => batches.size > 0 && finish(id, reply),
    drop: (id) => void (batches.size > 0 && finish(id, undefined)),
  }
}

/** Not the one for prepared answers, which clients have none of: they answer in batches too. */
function textOf(reply: RawMessage): string {
  return typeof reply === 'string' ? reply : JSON.stringify(reply)
}

/** Answers that have no place in their batch any more become errors. */
export function boundedReplies(
  allowed: number,
  encodeError: (error: RpcError) => WireError,
): FitReply {
  return (id, reply, length) => {
    const excess = batchExcess(length + reply.length, allowed)
    return excess ? JSON.stringify(errorResponse(id, encodeError(excess))) : reply
  }
}

/** Why an answer has no place among the others of its batch. */
export function batchExcess(seen: number, allowed: number): RpcError | undefined {
  if (seen <= allowed) return undefined
  const why = `with this answer those of its batch are ${seen} characters, and limits.batchBytes allows ${allowed}: send the request by itself`
  return new RpcError('limit_exceeded', why, { data: { limit: 'batchBytes', allowed, seen } })
}
