import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { parsedOrText, type Frame } from '../../rpc/frame.ts'
import { textOf, type PreparedResponse } from '../../rpc/json/json-text.ts'
import type { DecodeLimits } from '../../rpc/message.ts'
import type { RawMessage } from '../../rpc/transport.ts'

/** Shows a message to whoever watches; `stream` says which exchange it is part of. */
export type Trace = (
  direction: Frame['direction'],
  message: RawMessage | PreparedResponse,
  stream?: string,
) => void

/** A fault of the listener does not change what is traced. */
export function createTrace(
  onMessage: (frame: Frame) => void,
  {
    clock,
    limits,
    onError,
  }: { readonly clock: Clock; readonly limits: DecodeLimits; readonly onError: OnError },
): Trace {
  return (direction, raw, stream) => {
    try {
      const text = textOf(raw)
      const message = parsedOrText(text, limits)
      const at = clock.now()
      const { length: bytes } = text
      onMessage({ direction, at, message, bytes, ...(stream !== undefined && { stream }) })
    } catch (error) {
      onError(error, { severity: 'error' })
    }
  }
}
