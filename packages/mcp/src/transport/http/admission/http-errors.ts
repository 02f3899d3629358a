import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { errorResponse, type RequestId, type WireError } from '../../../rpc/message.ts'
import { isJsonObject } from '../../../schema/json.ts'
import { encodeWireError } from '../../../wire/error-codes.ts'
import type { HttpHeaders } from '../runtime/exchange.ts'

/**
 * The status of an answer that is one error: ours that have one, 400 for what is no request, else 200. An author's own
 * number is not a status, even where it looks like one: 404 would tell the client that its session is gone.
 */
export function statusOf({ code, data }: WireError): number {
  const isOurs = isJsonObject(data) && typeof data['reason'] === 'string'
  if (isOurs && code >= 400 && code < 600) return code
  return code === -32700 || code === -32600 ? 400 : 200
}

/** Headers of a status: when to try again, or which scopes are missing. */
export function headersOf(status: number, { data }: WireError): HttpHeaders {
  const { retryAfterMs, scopes, reason } = isJsonObject(data) ? data : {}
  if (status === 503 || status === 429) {
    const ms = typeof retryAfterMs === 'number' ? retryAfterMs : 1_000
    return { 'retry-after': String(Math.max(1, Math.ceil(ms / 1_000))) }
  }
  if (status !== 403 || reason !== 'insufficient_scope' || !Array.isArray(scopes)) return {}
  const tokens = scopes.filter((scope) => typeof scope === 'string' && scopeToken.test(scope))
  return {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${tokens.join(' ')}"`,
  }
}

/** RFC 6749, section 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** A refusal before any call: a status and a JSON-RPC error without an id, or with the one that could be read. */
export class HttpError extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  readonly headers: HttpHeaders
  readonly error: RpcError
  readonly id: RequestId | undefined

  constructor(status: number, error: RpcError, headers: HttpHeaders = {}, id?: RequestId) {
    super(error.message)
    this.status = status
    this.error = error
    this.headers = headers
    this.id = id
  }
}

/** The body that goes with a refusal. */
export function rejectionBody(error: RpcError, id?: RequestId): string {
  return JSON.stringify(errorResponse(id, encodeWireError(error)))
}

/** A refusal of something that is wrong with the request itself. */
export function badRequest(status: number, why: string, headers: HttpHeaders = {}): HttpError {
  return new HttpError(status, new RpcError('invalid_request', why), headers)
}
