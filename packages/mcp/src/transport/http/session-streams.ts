import type { Clock } from '../../rpc/clock.ts'
import type { EventLog } from './event-log.ts'
import { createEventStream, type EventStream } from './event-stream.ts'
import type { StreamOutput } from './exchange.ts'
import { randomId } from './random-id.ts'
import type { Trace } from './trace.ts'

export interface SessionStreamsOptions {
  readonly sessionId: string | undefined
  readonly log: EventLog | undefined
  readonly clock: Clock
  readonly bufferedBytes: number
  readonly keepAliveMs: number
  readonly trace: Trace
}

/** The event streams of one session: those of its calls, and those it listens on. */
export interface SessionStreams {
  /** With a reader now. */
  countOpen(): number
  /** The stream of a call. */
  create(onReader?: (isAttached: boolean) => void): EventStream
  /** A stream for what belongs to no call. */
  listen(output: StreamOutput): EventStream
  find(id: string): EventStream | undefined
  /** On one stream only: the newest that somebody reads, else the newest. Without any it is lost. */
  tell(json: string): void
  /** Forgets what nobody will come back for. */
  sweep(keepMs: number): void
  /** Closes every reader with a hint when to come back. */
  release(retryMs: number): void
  end(): void
}

/** Kept at once, those that ended included; the oldest of these make room. */
const mostStreams = 1_024
/** Read at once by one client that listens. */
const mostListeners = 16
/** A listener that lost its connection may come back for so long. */
const keepListenerMs = 600_000

export function createSessionStreams(options: SessionStreamsOptions): SessionStreams {
  const { sessionId, log, clock, bufferedBytes, keepAliveMs, trace } = options
  const streams = new Map<string, EventStream>()
  const listeners: EventStream[] = []
  let tag: string | undefined // so that an id of another session means nothing here
  let lastStream = 0
  let open = 0

  function create(onReader?: (isAttached: boolean) => void): EventStream {
    tag ??= randomId().slice(0, 16)
    const streamId = `${tag}x${(++lastStream).toString(36)}`
    const stream = createEventStream({
      ref: { sessionId: sessionId ?? '', streamId },
      log: sessionId === undefined ? undefined : log,
      bufferedBytes,
      keepAliveMs,
      clock,
      trace,
      onReader(isAttached) {
        open += isAttached ? 1 : -1
        onReader?.(isAttached)
      },
    })
    streams.set(streamId, stream)
    if (streams.size > mostStreams) forgetOldest()
    return stream
  }

  function forgetOldest(): void {
    for (const stream of streams.values()) {
      if (stream.isEnded && !stream.isAttached) return forget(stream)
    }
  }

  function forget(stream: EventStream): void {
    streams.delete(stream.id)
    const index = listeners.indexOf(stream)
    if (index !== -1) listeners.splice(index, 1)
    stream.end()
    if (sessionId !== undefined) log?.drop({ sessionId, streamId: stream.id })
  }

  return {
    countOpen() {
      return open
    },
    create,
    listen(output) {
      const stream = create()
      listeners.push(stream)
      const [oldest] = listeners
      if (listeners.length > mostListeners && oldest) forget(oldest)
      stream.attach(output)
      return stream
    },
    find: (id) => streams.get(id),
    tell: (json) =>
      (listeners.findLast(({ isAttached }) => isAttached) ?? listeners.at(-1))?.send(json),

    sweep(keepMs) {
      const now = clock.now()
      for (const stream of streams.values()) {
        if (stream.isAttached) continue
        const limit = stream.isEnded ? keepMs : keepListenerMs
        const isLeft = stream.isEnded || listeners.includes(stream)
        if (isLeft && now - stream.leftAt >= limit) forget(stream)
      }
    },

    release(retryMs) {
      for (const stream of streams.values()) stream.release(retryMs)
    },

    end() {
      for (const stream of streams.values()) stream.end()
      streams.clear()
      listeners.length = 0
      if (sessionId !== undefined) log?.dropSession(sessionId)
    },
  }
}
