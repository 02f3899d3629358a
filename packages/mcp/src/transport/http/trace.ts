import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/error-report.ts'
import type { Frame } from '../../rpc/frame.ts'
import { textOf, type PreparedResponse } from '../../rpc/prepared-json.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { JsonValue } from '../../schema/json.ts'

/** Shows a message to whoever watches; `stream` says which exchange it is part of. */
export type Trace = (
  direction: Frame['direction'],
  message: RawMessage | PreparedResponse,
  stream?: string,
) => void

/** Costs nothing when nobody watches, and who watches cannot change what is watched. */
export function createTrace(
  onMessage: ((frame: Frame) => void) | undefined,
  clock: Clock,
  onError: OnError,
): Trace {
  if (onMessage === undefined) return () => undefined
  return (direction, raw, stream) => {
    try {
      const text = textOf(raw)
      const message = parsedOrText(text)
      const at = clock.now()
      const { length: bytes } = text
      onMessage({ direction, at, message, bytes, ...(stream !== undefined && { stream }) })
    } catch (error) {
      onError(error, { severity: 'error' })
    }
  }
}

function parsedOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue // JSON is what it parses to
  } catch {
    return text
  }
}
