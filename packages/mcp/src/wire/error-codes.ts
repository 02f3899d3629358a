import { RpcError, wireCodes, type RpcErrorCode } from '../rpc/errors/rpc-error.ts'
import type { WireError } from '../rpc/message.ts'
import { isJsonObject } from '../schema/json.ts'
import type { WireFeatures } from './codec.ts'

/** The number of each name in one revision, where it differs from most. */
export type WireCodes = Record<RpcErrorCode, number>

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

/** Numbers that say all, whatever revision they come by. */
const ownNumbers: ReadonlySet<number> = new Set([-32020, -32021, -32022, -32042])

/** Names that a number alone decides. */
const byNumber = new Map<number, RpcErrorCode>([
  [-32700, 'parse_error'],
  [-32600, 'invalid_request'],
  [-32601, 'method_not_found'],
  [-32602, 'invalid_params'],
  [-32603, 'internal_error'],
  [-32002, 'resource_not_found'],
  [-1, 'input_refused'],
  [-32020, 'header_mismatch'],
  [-32021, 'missing_client_capability'],
  [-32022, 'unsupported_version'],
  [-32042, 'url_elicitation_required'],
])

/** The numbers of a legacy revision: from 2025-11-25 on a link that must be opened first has its own. */
export function legacyCodes({ elicitationIds }: WireFeatures): WireCodes {
  return elicitationIds ? { ...wireCodes, url_elicitation_required: -32042 } : wireCodes
}

export function encodeWireError(error: RpcError, codes: WireCodes = wireCodes): WireError {
  const { code, data } = error
  const message = asSentence(error.message)
  const wireCode = code === 'other' ? error.wireCode : codes[code]
  const needsReason = reasoned.has(code) && !ownNumbers.has(wireCode)
  const details = needsReason ? { ...(data as object | undefined), reason: code } : data // reasoned data are objects
  return details === undefined
    ? { code: wireCode, message }
    : { code: wireCode, message, data: details }
}

/** One line that can be read at a glance; whatever else there is to say is in `data`. */
function asSentence(message: string): string {
  const isLong = message.length > maxChars
  const start = isLong ? `${message.slice(0, maxChars - 1)}…` : message
  return start.replaceAll(/\s*[\r\n]\s*/g, ' ')
}

const maxChars = 250

/** An HTTP-like number is believed only if `data.reason` agrees; -32000..-32019 but -32002 mean nothing. */
export function decodeWireError({ code: wireCode, message, data }: WireError): RpcError {
  const reason = isJsonObject(data) ? data['reason'] : undefined
  const code = isReason(reason) && wireCodes[reason] === wireCode ? reason : byNumber.get(wireCode)
  return new RpcError(code ?? 'other', message, { wireCode, data: data as undefined }) // as the peer sent it, see RpcErrorData
}

function isReason(reason: unknown): reason is RpcErrorCode {
  return typeof reason === 'string' && reasoned.has(reason as RpcErrorCode) // membership is the proof
}
