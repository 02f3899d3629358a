import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { errorResponse, type RequestId } from '../../../rpc/message.ts'
import { encodeWireError } from '../../../wire/error-codes.ts'

/** A request that is to be answered on a stream. */
export interface OpenRequest {
  readonly id: RequestId
  /** It may be sent again, whatever has been done of it. */
  readonly retryable: boolean
}

/** What a log keeps of a stream, so that another process can answer in our place. */
export function encodeOpenRequests(open: readonly OpenRequest[]): string {
  return open.length === 0 ? '' : JSON.stringify(open)
}

/** The answers, as JSON, to requests that nobody will answer any more. */
export function lostAnswers(about: string | undefined, why: string): readonly string[] {
  if (!about) return []
  const open = JSON.parse(about) as readonly OpenRequest[] // as `encodeOpenRequests` wrote it
  return open.map(({ id, retryable }) => {
    const error = new RpcError('node_lost', why, { data: { retryable } })
    return JSON.stringify(errorResponse(id, encodeWireError(error)))
  })
}

/** Why a stream was ended by another process than its own. */
export const processLost = 'the process that worked on this request is gone'
/** Why a stream cannot go on. */
export const eventsLost = 'what was sent for this request is no longer kept'
/** Why a stream was given up. */
export const storeAway = 'what is sent for this request could not be kept: the store is unreachable'
