import { isRequestId, type RequestId } from '../../rpc/message.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import { isJsonObject } from '../../schema/json.ts'

/** A message on its way out, and what a transport has to know of it. */
export interface Outgoing {
  readonly body: string
  /** Set for requests: there will be an answer. */
  readonly request: RequestId | undefined
  readonly method: string | undefined
  /** The request this notification cancels. */
  readonly cancels: RequestId | undefined
}

/** Undefined for what HTTP has no place for: an error that answers no request. Throws for what has no JSON. */
export function describeOutgoing(message: RawMessage): Outgoing | undefined {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const value: unknown = typeof message === 'string' ? parse(message) : message
  if (!isJsonObject(value))
    return { body, request: undefined, method: undefined, cancels: undefined }
  const { id, method, params } = value
  if (method === undefined && !isRequestId(id)) return undefined
  const named = typeof method === 'string' ? method : undefined
  const request = named !== undefined && isRequestId(id) ? id : undefined
  const cancelled =
    named === 'notifications/cancelled' && isJsonObject(params) ? params['requestId'] : undefined
  return { body, request, method: named, cancels: isRequestId(cancelled) ? cancelled : undefined }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // sent as it is: the other side will say what it thinks of it
  }
}
