import type { WireError } from '../rpc/message.ts'
import { RpcError, wireCodes, type RpcErrorCode } from '../rpc/rpc-error.ts'
import { isJsonObject } from '../schema/json.ts'

/** Names whose number says too little: two share one, or the number is an HTTP status. They add `data.reason`. */
const reasoned: ReadonlySet<RpcErrorCode> = new Set([
  'missing_client_capability',
  'unsupported_version',
  'header_mismatch',
  'url_elicitation_required',
  'unauthorized',
  'insufficient_scope',
  'forbidden',
  'session_not_found',
  'limit_exceeded',
  'overloaded',
  'node_lost',
])

/** Names that a number alone decides. */
const byNumber = new Map<number, RpcErrorCode>([
  [-32700, 'parse_error'],
  [-32600, 'invalid_request'],
  [-32601, 'method_not_found'],
  [-32602, 'invalid_params'],
  [-32603, 'internal_error'],
  [-32002, 'resource_not_found'],
  [-1, 'input_refused'],
])

export function encodeWireError(error: RpcError): WireError {
  const { code, wireCode, message, data } = error
  const details = reasoned.has(code) ? { ...(data as object | undefined), reason: code } : data // reasoned data are objects
  return details === undefined
    ? { code: wireCode, message }
    : { code: wireCode, message, data: details }
}

/** An HTTP-like number is believed only if `data.reason` agrees; -32000..-32019 but -32002 mean nothing. */
export function decodeWireError({ code: wireCode, message, data }: WireError): RpcError {
  const reason = isJsonObject(data) ? data['reason'] : undefined
  const code = isReason(reason) && wireCodes[reason] === wireCode ? reason : byNumber.get(wireCode)
  return new RpcError(code ?? 'other', message, { wireCode, data: data as undefined }) // as the peer sent it, see RpcErrorData
}

function isReason(reason: unknown): reason is RpcErrorCode {
  return typeof reason === 'string' && reasoned.has(reason as RpcErrorCode) // membership is the proof
}
