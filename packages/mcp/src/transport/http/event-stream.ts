import type { Clock } from '../../rpc/clock.ts'
import { encodeEventId } from './event-id.ts'
import type { EventLog, StreamRef } from './event-log.ts'
import type { StreamOutput } from './exchange.ts'
import { watchSilence, type SilenceWatch } from './silence.ts'
import { encodeEvent, encodePosition, encodeRetry, keepAliveComment } from './sse-event.ts'
import { watchStall } from './stall.ts'
import type { Trace } from './trace.ts'

export interface EventStreamOptions {
  readonly ref: StreamRef
  /** Undefined keeps nothing and gives no ids. */
  readonly log: EventLog | undefined
  /** A reader this far behind is cut off where there is no log for it to be behind in. */
  readonly bufferedBytes: number
  readonly keepAliveMs: number
  readonly clock: Clock
  readonly trace: Trace
  /** A reader came or went. */
  readonly onReader?: ((isAttached: boolean) => void) | undefined
}

/** Server-sent events with at most one reader at a time. */
export interface EventStream {
  readonly id: string
  readonly isEnded: boolean
  readonly isAttached: boolean
  /** Since when it has no reader. */
  readonly leftAt: number
  /** Set while the reader is slow. */
  readonly room: Promise<void> | undefined
  /** JSON without line breaks. */
  send(json: string): void
  /** Whether a reader that has event number `sequence` can continue from it. */
  knows(sequence: number): boolean
  /** Sends what follows event number `after`, or only what is new; an earlier reader is closed. */
  attach(output: StreamOutput, after?: number): void
  detach(output: StreamOutput): void
  /** No more events: the reader is closed once it has all of them. */
  end(): void
  /** Closes the reader with a hint when to come back; the stream goes on. */
  release(retryMs: number): void
}

/** Events read from the log at a time. */
const pageSize = 64

export function createEventStream(options: EventStreamOptions): EventStream {
  const { ref, log, bufferedBytes, keepAliveMs, clock, trace, onReader } = options
  const id = ref.streamId
  let sequence = 0
  let isEnded = false
  let output: StreamOutput | undefined
  let isBehind = false // the reader is slower than we are, and gets what is in the log as fast as it can
  let isStalled = (): boolean => false
  let leftAt = clock.now()
  let silence: SilenceWatch | undefined

  function write(text: string): void {
    if (output === undefined) return
    if (log === undefined && isStalled()) return cut(output)
    output.write(text)
    silence?.touch()
  }

  /** Who takes nothing for so long has gone, and may come back. */
  function onSilence(): void {
    if (isBehind && output) cut(output)
    else write(keepAliveComment)
  }

  function cut(slow: StreamOutput): void {
    detach(slow)
    slow.destroy()
  }

  function detach(gone: StreamOutput): void {
    if (output !== gone) return
    output = undefined
    isBehind = false
    leftAt = clock.now()
    silence?.[Symbol.dispose]()
    silence = undefined
    onReader?.(false)
  }

  function close(): void {
    const closing = output
    if (closing === undefined) return
    detach(closing)
    closing.end()
  }

  function catchUp(reader: StreamOutput, from: number): void {
    let after = from
    while (output === reader && after < sequence) {
      const { room } = reader
      if (room !== undefined) return void room.then(() => catchUp(reader, after))
      const events = log?.read(ref, after, pageSize)
      if (events === undefined) return cut(reader) // gone from the log meanwhile
      for (const event of events) {
        write(event.text)
        after = event.sequence
        if (reader.room !== undefined) break
      }
    }
    if (output !== reader) return
    isBehind = false
    if (isEnded) close()
  }

  return {
    id,
    get isEnded() {
      return isEnded
    },
    get isAttached() {
      return output !== undefined
    },
    get leftAt() {
      return leftAt
    },
    get room() {
      return output?.room
    },

    send(json) {
      if (isEnded) return
      trace('out', json, id)
      sequence += 1
      if (log === undefined) return write(encodeEvent(json))
      const text = encodeEvent(json, { id: encodeEventId(id, sequence) })
      log.append(ref, { sequence, text })
      if (output === undefined || isBehind) return
      if (output.room === undefined) return write(text)
      isBehind = true
      catchUp(output, sequence - 1)
    },

    knows: (known) =>
      known === sequence ||
      (known < sequence && log !== undefined && log.read(ref, known, 1) !== undefined),

    attach(reader, after) {
      close()
      output = reader
      isStalled = watchStall(reader, bufferedBytes, clock)
      silence = watchSilence(clock, keepAliveMs, onSilence)
      onReader?.(true)
      if (after === undefined && log) write(encodePosition(encodeEventId(id, sequence)))
      isBehind = true
      catchUp(reader, after ?? sequence)
    },

    detach,
    end() {
      if (isEnded) return
      isEnded = true
      if (output === undefined) leftAt = clock.now()
      else if (!isBehind) close()
    },
    release(retryMs) {
      write(encodeRetry(retryMs))
      close()
    },
  }
}
