import { measureJson } from '../../rpc/json/measure-json.ts'
import {
  decodeMessage,
  type Batch,
  type DecodeLimits,
  type Malformed,
  type Message,
} from '../../rpc/message.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import { HttpRefusal } from './admission/http-errors.ts'

/** Decodes a body that was text, or was parsed before us and so has not been measured. */
export function decodeBody(raw: RawMessage, limits: DecodeLimits): Message | Malformed | Batch {
  const excess = typeof raw === 'string' ? undefined : measureJson(raw, limits)
  return decodeMessage(excess ?? raw, limits)
}

/** The answer to a body that is no message at all. */
export function malformedRefusal({ error, id, isAnswerable }: Malformed): HttpRefusal {
  return new HttpRefusal(400, error, {}, isAnswerable ? id : undefined)
}
