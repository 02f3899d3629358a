/**
 * JSON-RPC messages, and how text becomes one.
 *
 * `decodeMessage` is total: whatever arrives becomes a message, a batch, or `Malformed` with the error to respond with. It checks
 * limits of size and nesting before it parses. It adds `kind` once, so that nothing looks at the shape of a message again. Which
 * methods exist, and whether their params are right, is decided by `schema/methods` and the two sides.
 */
import { isJsonObject, type JsonObject } from '../schema/json.ts'
import { RpcError } from './errors/rpc-error.ts'
import { exceeded, scanJson, endsOf } from './json/json-limits.ts'
import { defaultLimits } from './limits.ts'
import type { ReceivedRequest } from './observer.ts'
import type { RawMessage } from './transport.ts'

export type RequestId = string | number

export interface Request {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject
  /** Set where requests are watched. */
  readonly received?: ReceivedRequest
}
export interface Notification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}
export interface ResultResponse {
  readonly kind: 'result'
  readonly id: RequestId
  readonly result: JsonObject
}
export interface ErrorResponse {
  readonly kind: 'error'
  /** Absent when the peer could not read the id of what it refuses. */
  readonly id?: RequestId
  readonly error: WireError
}
/** The wire has no tag, so decoding adds `kind` once and nothing looks at the shape again. */
export type Message = Request | Notification | ResultResponse | ErrorResponse

/** An error as JSON-RPC writes it. */
export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Something that is not a message. It is answered only if `isAnswerable`: never a notification, never a response. */
export interface Malformed {
  readonly kind: 'malformed'
  /** The id, if it could be read. */
  readonly id?: RequestId
  readonly isAnswerable: boolean
  readonly error: RpcError
}

/** A JSON array; whether it is legal depends on the revision. */
export interface Batch {
  readonly kind: 'batch'
  readonly members: readonly (Message | Malformed)[]
}

export interface DecodeLimits {
  readonly depth: number
  readonly members: number
  /** In all. @defaultValue as `defaultLimits` has it */
  readonly values?: number
  /** Messages of one batch. @defaultValue as `defaultLimits` has it */
  readonly batchMessages?: number
}

/** Total: what the other side sends wrong is a value for us to answer, not an exception. */
export function decodeMessage(
  raw: RawMessage | RpcError,
  limits: DecodeLimits = defaultLimits,
): Message | Malformed | Batch {
  if (raw instanceof RpcError) return rejected(raw, raw.cause)
  let value: unknown = raw
  if (typeof raw === 'string') {
    const excess = scanJson(raw, limits)
    if (excess !== undefined) return rejected(excess, endsOf(raw))
    try {
      value = JSON.parse(raw)
    } catch {
      return malformed(new RpcError('parse_error', `not JSON: ${excerpt(raw)}`), undefined, true)
    }
  }
  return Array.isArray(value) ? decodeBatch(value, limits) : decodeValue(value)
}

/** Too many are refused together: an error for each would cost more than they do. */
function decodeBatch(
  values: readonly unknown[],
  { batchMessages: allowed = defaultLimits.batchMessages }: DecodeLimits,
): Batch | Malformed {
  const { length: seen } = values
  if (seen <= allowed) return { kind: 'batch', members: values.map(decodeValue) }
  return malformed(exceeded('batchMessages', allowed, seen), undefined, true)
}

function decodeValue(value: unknown): Message | Malformed {
  if (!isJsonObject(value)) return invalid('a message is a JSON object', undefined, true)
  const { method } = value
  if (value['jsonrpc'] !== '2.0') {
    return invalid('jsonrpc must be "2.0"', value, value['id'] !== undefined && !isResponse(value))
  }
  if (typeof method === 'string') return decodeCall(value, method)
  if (method !== undefined) return invalid('method must be a string', value, 'id' in value)
  return decodeResponse(value)
}

function decodeCall(value: JsonObject, method: string): Message | Malformed {
  const { id, params = emptyParams } = value
  if (!isJsonObject(params)) return invalid('params must be an object', value, 'id' in value)
  if (id === undefined) return { kind: 'notification', method, params }
  if (isRequestId(id)) return { kind: 'request', id, method, params }
  return invalid('id must be a string or an integer', undefined, true)
}

function decodeResponse(value: JsonObject): Message | Malformed {
  const { id, result, error } = value
  if (result === undefined && error === undefined) {
    return invalid('neither method, result nor error', value, true)
  }
  if (result !== undefined && error !== undefined) return invalid('both result and error', value)
  if (result !== undefined) {
    if (!isRequestId(id)) return invalid('a result without a usable id', value)
    if (!isJsonObject(result)) return invalid('result must be an object', value)
    return { kind: 'result', id, result }
  }
  if (!isWireError(error)) return invalid('error must have an integer code and a message', value)
  return isRequestId(id) ? { kind: 'error', id, error } : { kind: 'error', error }
}

const emptyParams: JsonObject = Object.freeze({})

/** Without an id where it is not known. */
export function errorResponse(id: RequestId | undefined, error: WireError): object {
  return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error }
}

/** Strings and integers; an integer must be exact, or it would come back changed. */
export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function readId(value: JsonObject): RequestId | undefined {
  return isRequestId(value['id']) ? value['id'] : undefined
}

function isResponse(value: JsonObject): boolean {
  return (
    value['method'] === undefined && (value['result'] !== undefined || value['error'] !== undefined)
  )
}

/** Returns the rejection of a message, with its id if that could be read. */
function rejected(error: RpcError, value: unknown): Malformed {
  if (!isJsonObject(value)) return malformed(error, undefined, true)
  return malformed(error, readId(value), 'id' in value && !isResponse(value))
}

function isWireError(error: unknown): error is WireError & JsonObject {
  return (
    isJsonObject(error) && Number.isInteger(error['code']) && typeof error['message'] === 'string'
  )
}

function invalid(what: string, value?: JsonObject, isAnswerable = false): Malformed {
  return malformed(new RpcError('invalid_request', what), value && readId(value), isAnswerable)
}

function malformed(error: RpcError, id: RequestId | undefined, isAnswerable: boolean): Malformed {
  return { kind: 'malformed', isAnswerable, error, ...(id !== undefined && { id }) }
}

/** The beginning of a text, short enough for an error message. */
export function excerpt(text: string, length = 80): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}
