import type { JsonValue } from '../schema/json.ts'
import { scanJson } from './json/json-limits.ts'
import { defaultLimits } from './limits.ts'
import type { DecodeLimits } from './message.ts'
import type { OutgoingMessage } from './transport.ts'

/** One frame, as it crossed the wire; for traces, inspectors and tests. */
export interface Frame {
  /** `in` was received, `out` was sent. */
  readonly direction: 'in' | 'out'
  /** Milliseconds by the monotonic clock of this process. */
  readonly at: number
  /** The parsed message; text that is not JSON is here as a string. */
  readonly message: JsonValue
  /** The size of its JSON in UTF-8. */
  readonly bytes: number
  /** Which exchange it belongs to when one connection carries many (an HTTP request, a stream). */
  readonly stream?: string
}

/** A message as a frame. Throws for what has no JSON. */
export function frameOf(
  direction: Frame['direction'],
  at: number,
  { raw, text }: Pick<OutgoingMessage, 'raw' | 'text'>,
  limits?: DecodeLimits,
): Frame {
  return {
    direction,
    at,
    message: typeof raw === 'string' ? parsedOrText(raw, limits) : (raw as JsonValue), // transports carry JSON only
    bytes: new TextEncoder().encode(text).length,
  }
}

/** Returns text that is not JSON, or exceeds the limits of nesting and members, unchanged. */
export function parsedOrText(text: string, limits: DecodeLimits = defaultLimits): JsonValue {
  if (scanJson(text, limits) !== undefined) return text
  try {
    return JSON.parse(text) as JsonValue // JSON is what it parses to
  } catch {
    return text
  }
}
