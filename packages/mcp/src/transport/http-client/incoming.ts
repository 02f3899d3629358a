import { scanJson, endsOf } from '../../rpc/json/json-limits.ts'
import { isRequestId, type DecodeLimits, type RequestId } from '../../rpc/message.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import { isJsonObject } from '../../schema/json.ts'

/** A message as it arrived, read far enough to see which requests it answers. */
export interface Incoming {
  /** Text if it is not JSON or exceeds the limits: decoding it reports the error. */
  readonly message: RawMessage
  readonly answers: readonly RequestId[]
}

/** Parsed once, here; what is passed on is the value. */
export function readIncoming(text: string, limits: DecodeLimits): Incoming {
  const isWithin = scanJson(text, limits) === undefined
  const value = isWithin ? parse(text) : endsOf(text)
  const answers = Array.isArray(value) ? value.flatMap(answersOf) : answersOf(value)
  const isUsable = isWithin && typeof value === 'object' && value !== null
  return { message: isUsable ? value : text, answers }
}

function answersOf(value: unknown): RequestId[] {
  if (!isJsonObject(value) || value['method'] !== undefined) return []
  const { id, result, error } = value
  return isRequestId(id) && (result !== undefined || error !== undefined) ? [id] : []
}

/** The version a server agreed to, from its answer to `initialize`. */
export function negotiatedVersion(message: RawMessage): string | undefined {
  const result = isJsonObject(message) ? message['result'] : undefined
  const version = isJsonObject(result) ? result['protocolVersion'] : undefined
  return typeof version === 'string' && /^[\x21-\x7e]{1,64}$/.test(version) ? version : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // decoding it reports the error
  }
}
