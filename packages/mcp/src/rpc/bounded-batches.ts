import type { FitReply } from './batch-replies.ts'
import { RpcError } from './errors/rpc-error.ts'
import { errorResponse, type WireError } from './message.ts'

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
