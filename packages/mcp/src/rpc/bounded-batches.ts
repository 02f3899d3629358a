import { createBatchReplies, type CreateBatchReplies } from './batch-replies.ts'
import { RpcError } from './errors/rpc-error.ts'
import { errorResponse } from './message.ts'
import { inTurns } from './time/in-turns.ts'

/** For whoever answers anybody: answers that have no place any more become errors, and nobody waits for a whole batch. */
export const createBoundedBatches: CreateBatchReplies = (send, options) => {
  const { encodeError, onError } = options
  const { batchBytes = Infinity } = options.limits
  const replies = createBatchReplies(send, (id, reply, length) => {
    const excess = batchExcess(length + reply.length, batchBytes)
    return excess ? JSON.stringify(errorResponse(id, encodeError(excess))) : reply
  })
  return {
    ...replies,
    inTurns: (members, receive) =>
      inTurns(members, (member) => {
        try {
          receive(member)
        } catch (error) {
          onError(error, { severity: 'error' }) // the others are received all the same
        }
      }),
  }
}

/** Why an answer has no place among the others of its batch. */
export function batchExcess(seen: number, allowed: number): RpcError | undefined {
  if (seen <= allowed) return undefined
  const why = `with this answer those of its batch are ${seen} characters, and limits.batchBytes allows ${allowed}: send the request by itself`
  return new RpcError('limit_exceeded', why, { data: { limit: 'batchBytes', allowed, seen } })
}
