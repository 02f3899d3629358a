import type { Traffic } from '../../rpc/observing/traffic.ts'
import type { OutgoingMessage } from '../../rpc/transport/outgoing-message.ts'
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts'
import type { HttpHeaders } from './request/http-request.ts'

/** A request that is watched: what hears of its way, and the trace context that headers repeat. */
export interface WatchedRequest {
  readonly traffic: Traffic
  readonly trace: HttpHeaders
}

/** Takes over to say when it leaves: a request may wait for its server long after it was given to us. */
export function takeWatched(
  message: OutgoingMessage,
  traffic: Traffic,
  params: unknown,
): WatchedRequest {
  message.traffic = undefined
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return { traffic, trace: isJsonObject(meta) ? traceOf(meta) : {} }
}

/** With the trace context, where it is repeated. */
export function watchedHeaders(
  { trace }: WatchedRequest,
  headers: HttpHeaders,
  { repeatsTrace }: { readonly repeatsTrace: boolean },
): HttpHeaders {
  return repeatsTrace ? { ...headers, ...trace } : headers
}

/** Tells when bytes may have left, each time. */
export function noteSent(
  { traffic }: WatchedRequest,
  body: string,
  onSent?: () => void,
): () => void {
  return () => {
    traffic.sent(body)
    onSent?.()
  }
}

/** For what is on the way and knows nothing of MCP, such as a load balancer. */
function traceOf(meta: JsonObject): HttpHeaders {
  const headers: { [name: string]: string } = {}
  for (const name of ['traceparent', 'tracestate', 'baggage']) {
    const value = meta[name]
    if (typeof value === 'string' && isHeaderText.test(value)) headers[name] = value
  }
  return headers
}

/** Not longer than servers take it. */
const isHeaderText = /^[\x20-\x7e]{1,8192}$/
