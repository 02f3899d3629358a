import { measureJson } from '../../rpc/measure-json.ts'
import { isRequestId, type DecodeLimits, type RequestId } from '../../rpc/message.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'

/** A message as it arrived, read far enough to see which requests it answers. */
export interface Incoming {
  /** Text if it is no JSON or goes beyond the limits: whoever decodes it will say so. */
  readonly message: RawMessage
  readonly answers: readonly RequestId[]
}

/** Parsed once, here; what is passed on is the value. */
export function readIncoming(text: string, limits: DecodeLimits): Incoming {
  const value = parse(text)
  const members = Array.isArray(value) ? (value as unknown[]) : [value]
  const answers = members
    .filter(isJsonObject)
    .filter(isResponse)
    .map(({ id }) => id)
  const isUsable =
    typeof value === 'object' &&
    value !== null &&
    measureJson(value, text.length, limits) === undefined
  return { message: isUsable ? value : text, answers: answers.filter(isRequestId) }
}

function isResponse(value: JsonObject): boolean {
  return value['method'] === undefined && ('result' in value || 'error' in value)
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
