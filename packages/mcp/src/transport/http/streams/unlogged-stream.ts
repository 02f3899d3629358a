import type { StreamOutput } from '../runtime/exchange.ts'
import type { Trace } from '../trace.ts'
import type { EventStream, StreamEvents } from './event-stream.ts'
import { encodeEvent } from './sse.ts'
import {
  watchSlowReader,
  createStreamConnection,
  type ConnectionRules,
  type StreamConnection,
} from './stream-reader.ts'

export interface UnloggedStreamOptions {
  readonly rules: ConnectionRules
  readonly events: StreamEvents
  readonly id: string | undefined
  /** A reader this far behind is cut off: there is no log for it to be behind in. */
  readonly bufferedBytes: number
  readonly trace: Trace | undefined
}

/** Creates a stream without a log: a client that is not connected misses its events. */
export function createUnloggedStream(options: UnloggedStreamOptions): EventStream {
  const { id, rules, events, bufferedBytes, trace } = options
  const { clock } = rules
  let isEnded = false
  let leftAt = clock.now()
  let reader: StreamConnection | undefined
  let isTooSlow = (): boolean => false

  function onClosed(closedReader: StreamConnection): void {
    if (reader !== closedReader) return
    reader = undefined
    leftAt = clock.now()
    events.onReader?.(false)
  }

  function attach(output: StreamOutput): void {
    reader?.close()
    isTooSlow = watchSlowReader(output, bufferedBytes, clock)
    const own: StreamConnection = createStreamConnection({
      rules, // never let go: nobody could come back
      output,
      isPaused: () => isTooSlow(),
      onClosed: () => onClosed(own),
    })
    reader = own
    events.onReader?.(true)
  }

  function end(): void {
    if (isEnded) return
    isEnded = true
    if (reader === undefined) leftAt = clock.now()
    reader?.close()
    events.onCommitted?.()
  }

  return {
    id: id ?? '',
    get isEnded() {
      return isEnded
    },
    get isAttached() {
      return reader !== undefined
    },
    get leftAt() {
      return leftAt
    },
    get drained() {
      return reader?.output.drained
    },
    get hasSpace() {
      return reader === undefined || reader.output.bufferedBytes < bufferedBytes
    },
    committed: undefined,
    send(json) {
      if (isEnded) return
      trace?.('out', json, id)
      if (isTooSlow()) reader?.cut()
      reader?.write(encodeEvent(json))
    },
    attach,
    detach(output) {
      if (reader?.output === output) reader.detach()
    },
    end,
    release: (retryMs) => reader?.release(retryMs),
    lastRead: () => undefined,
    discard: end,
  }
}
