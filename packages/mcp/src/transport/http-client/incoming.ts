import { measureJson } from '../../rpc/measure-json.ts'
import { isRequestId, type DecodeLimits, type RequestId } from '../../rpc/message.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import { isJsonObject } from '../../schema/json.ts'

/** A message as it arrived, read far enough to see which requests it answers. */
export interface Incoming {
  /** Text if it is no JSON or goes beyond the limits: whoever decodes it will say so. */
  readonly message: RawMessage
  readonly answers: readonly RequestId[]
}

/** Parsed once, here; what is passed on is the value. */
export function readIncoming(text: string, limits: DecodeLimits): Incoming {
  const value = parse(text)
  const answers = Array.isArray(value) ? value.flatMap(answersOf) : answersOf(value)
  const isUsable =
    typeof value === 'object' &&
    value !== null &&
    measureJson(value, text.length, limits) === undefined
  return { message: isUsable ? value : text, answers }
}

function answersOf(value: unknown): RequestId[] {
  if (!isJsonObject(value) || value['method'] !== undefined) return []
  const { id, result, error } = value
  return isRequestId(id) && (result !== undefined || error !== undefined) ? [id] : []
}

/** The version a server agreed to, from its answer to `initialize`. */
export function agreedVersion(message: RawMessage): string | undefined {
  const value = typeof message === 'string' ? parse(message) : message
  const result = isJsonObject(value) ? value['result'] : undefined
  const version = isJsonObject(result) ? result['protocolVersion'] : undefined
  return typeof version === 'string' && /^[\x21-\x7e]{1,64}$/.test(version) ? version : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // whoever decodes it will say so
  }
}
