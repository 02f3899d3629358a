import type { Clock } from '../../rpc/clock.ts'
import type { RawMessage } from '../../rpc/transport.ts'
import type { StreamOutput } from './exchange.ts'
import { encodeEvent, encodeRetry, keepAliveComment } from './sse-event.ts'

/** How much of a stream is kept for a reader that lost its connection. */
export interface ReplayLimits {
  readonly events: number
  readonly bytes: number
  /** After the end of the stream. */
  readonly keepMs: number
}

export interface EventStreamOptions {
  /** Unique in its session; part of every event id. */
  readonly id: string
  /** False keeps nothing and gives no ids. */
  readonly replay: ReplayLimits | false
  /** A reader this far behind is cut off; it may come back and resume. */
  readonly bufferedBytes: number
  readonly keepAliveMs: number
  readonly clock: Clock
}

/** Server-sent events with at most one reader at a time. */
export interface EventStream {
  readonly id: string
  readonly isEnded: boolean
  readonly isAttached: boolean
  /** Set while the reader is slow. */
  readonly room: Promise<void> | undefined
  send(message: RawMessage): void
  /** Whether a reader that has event number `sequence` could continue from it. */
  knows(sequence: number): boolean
  /** Sends what follows event number `after`, `Infinity` for nothing that was; an earlier reader is closed. */
  attach(output: StreamOutput, after: number): void
  detach(output: StreamOutput): void
  /** No more events: the reader is closed once it has all of them. */
  end(): void
  /** Closes the reader with a hint when to come back; the stream goes on. */
  release(retryMs: number): void
}

interface KeptEvent {
  readonly sequence: number
  readonly text: string
}

export function createEventStream(options: EventStreamOptions): EventStream {
  const { id, replay, bufferedBytes, keepAliveMs, clock } = options
  const kept: KeptEvent[] = []
  let keptBytes = 0
  let sequence = 0
  let isEnded = false
  let output: StreamOutput | undefined
  let lastSentAt = 0
  let timer: Disposable | undefined

  function keep(event: KeptEvent, limits: ReplayLimits): void {
    kept.push(event)
    keptBytes += event.text.length
    while (kept.length > limits.events || (keptBytes > limits.bytes && kept.length > 1)) {
      keptBytes -= kept.shift()?.text.length ?? 0
    }
  }

  function write(text: string): void {
    if (output === undefined) return
    output.write(text)
    lastSentAt = clock.now()
    if (output.bufferedBytes > bufferedBytes) cut(output)
  }

  function cut(slow: StreamOutput): void {
    detach(slow)
    slow.destroy()
  }

  function detach(gone: StreamOutput): void {
    if (output !== gone) return
    output = undefined
    timer?.[Symbol.dispose]()
    timer = undefined
  }

  /** By silence, not by the clock: a stream that is in use needs no comments. */
  function watchSilence(): void {
    timer = clock.setTimer(() => {
      if (clock.now() - lastSentAt >= keepAliveMs) write(keepAliveComment)
      if (output !== undefined) watchSilence()
    }, keepAliveMs)
  }

  function close(): void {
    const closing = output
    if (closing === undefined) return
    detach(closing)
    closing.end()
  }

  return {
    id,
    get isEnded() {
      return isEnded
    },
    get isAttached() {
      return output !== undefined
    },
    get room() {
      return output?.room
    },

    send(message) {
      if (isEnded) return
      const json = typeof message === 'string' ? message : JSON.stringify(message)
      sequence += 1
      if (replay === false) return write(encodeEvent(json))
      const text = encodeEvent(json, { id: `${id}_${sequence}` })
      keep({ sequence, text }, replay)
      write(text)
    },

    knows: (known) => known <= sequence && known >= (kept[0]?.sequence ?? sequence + 1) - 1,

    attach(reader, after) {
      close()
      output = reader
      lastSentAt = clock.now()
      for (const event of kept) if (event.sequence > after) write(event.text)
      if (isEnded) close()
      else if (output !== undefined) watchSilence()
    },

    detach,
    end() {
      isEnded = true
      close()
    },
    release(retryMs) {
      write(encodeRetry(retryMs))
      close()
    },
  }
}

/** The stream and the number an event id names; undefined for anything we did not write. */
export function readEventId(
  id: string,
): { readonly stream: string; readonly sequence: number } | undefined {
  const match = /^([a-z0-9]{1,32})_(\d{1,15})$/.exec(id)
  const [, stream, sequence] = match ?? []
  return stream === undefined || sequence === undefined
    ? undefined
    : { stream, sequence: Number(sequence) }
}
