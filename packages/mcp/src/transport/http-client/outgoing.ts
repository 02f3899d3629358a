import { isRequestId, type RequestId } from '../../rpc/message.ts'
import type { OutgoingMessage } from '../../rpc/transport/outgoing-message.ts'
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts'
import { namedVersion } from '../../wire/envelope.ts'

/** A message on its way out, and what a transport has to know of it. */
export interface Outgoing {
  readonly body: string
  /** Set for requests: there will be an answer. */
  readonly request: RequestId | undefined
  readonly method: string | undefined
  /** The request this notification cancels. */
  readonly cancels: RequestId | undefined
  /** Set for a request that says all about its caller and needs no session. */
  readonly standalone: Standalone | undefined
}

/** A request that stands for itself, as far as headers repeat it. */
export interface Standalone {
  readonly id: RequestId
  readonly version: string
  readonly method: string
  readonly params: JsonObject
}

/** Undefined for what HTTP has no place for: an error that answers no request. Throws for what has no JSON. */
export function describeOutgoing({ text: body, value }: OutgoingMessage): Outgoing | undefined {
  if (!isJsonObject(value)) return outgoing(body, {})
  const { id, method, params } = value
  if (method === undefined && !isRequestId(id)) return undefined
  if (typeof method !== 'string') return outgoing(body, {})
  if (isRequestId(id)) {
    return outgoing(body, { method, request: id, standalone: describe(id, method, params) })
  }
  const isCancel = method === 'notifications/cancelled' && isJsonObject(params)
  const cancels = isCancel ? params['requestId'] : undefined
  return outgoing(body, { method, cancels: isRequestId(cancels) ? cancels : undefined })
}

function outgoing(
  body: string,
  { request, method, cancels, standalone }: Partial<Omit<Outgoing, 'body'>>,
): Outgoing {
  return { body, request, method, cancels, standalone }
}

function describe(id: RequestId, method: string, params: unknown): Standalone | undefined {
  const version = isJsonObject(params) ? namedVersion(params) : undefined
  return isJsonObject(params) && typeof version === 'string'
    ? { id, version, method, params }
    : undefined
}
