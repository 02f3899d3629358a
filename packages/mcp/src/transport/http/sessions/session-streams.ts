import type { OnError } from '../../../rpc/errors/error-report.ts'
import type { StreamOutput } from '../runtime/exchange.ts'
import type { EventLog, ReplayLimits } from '../streams/event-log.ts'
import { createEventStream, type EventStream, type StreamEvents } from '../streams/event-stream.ts'
import { resumeStream, type ResumedStream } from '../streams/resumed-stream.ts'
import type { ConnectionRules } from '../streams/stream-connection.ts'
import { createUnloggedStream } from '../streams/unlogged-stream.ts'
import type { Trace } from '../trace.ts'
import { randomId } from './random-id.ts'

export interface SessionStreamsOptions {
  readonly rules: ConnectionRules
  /** Undefined keeps nothing and gives no ids. */
  readonly sessionId: string | undefined
  readonly log: EventLog | undefined
  readonly replay: Pick<ReplayLimits, 'events' | 'bytes'>
  readonly bufferedBytes: number
  readonly hasPriming: boolean
  /** How often a stream that is written elsewhere is looked at, whether or not there is a hint. @defaultValue 3_000 */
  readonly lookMs?: number | undefined
  readonly trace: Trace | undefined
  readonly onError: OnError
}

/** The event streams of one session that are written or read here: those of its calls, and those it listens on. */
export interface SessionStreams {
  /** With a reader now. */
  countOpen(): number
  /** Nothing is written or read here. */
  isIdle(): boolean
  /** The stream of a call. `about` is what other processes need to end it in our place. */
  create(events?: StreamEvents, about?: string): EventStream
  /** A stream for what belongs to no call. */
  listen(output: StreamOutput): EventStream
  /** Goes on with a stream after event number `after`, wherever it is written. Returns what to do when the reader goes. */
  resume(streamId: string, output: StreamOutput, after: number): () => void
  /** On one stream only: the newest that somebody reads, else the newest. Without any it is lost. */
  tell(json: string): void
  /** Forgets what nobody will come back for. */
  sweep(): void
  /** Closes every reader with a hint when to come back. */
  release(retryMs: number): void
  /** Ends every stream; resolves, if it is a promise, when the log knows. */
  end(): Promise<unknown> | undefined
  /** The session is over, and nobody will come back for anything. */
  discard(): void
}

/** Read at once by one client that listens. */
const mostListeners = 16
/** A listener that lost its connection may come back for so long. */
const keepListenerMs = 600_000

export function createSessionStreams(options: SessionStreamsOptions): SessionStreams {
  const { sessionId, log, rules, replay, bufferedBytes, hasPriming, lookMs = 3_000 } = options
  const { trace, onError } = options
  const streams = new Map<string, EventStream>() // until they have ended and nobody reads them
  const followed = new Map<string, ResumedStream>()
  const listeners: EventStream[] = []
  let tag: string | undefined // so that an id of another session means nothing here
  let lastStream = 0
  let open = 0

  function create(events: StreamEvents = {}, about?: string): EventStream {
    tag ??= randomId().slice(0, 16)
    const streamId = `${tag}x${(++lastStream).toString(36)}`
    const own: StreamEvents = {
      onFenced: (why) => events.onFenced?.(why),
      onReader(isAttached) {
        open += isAttached ? 1 : -1
        if (!isAttached) forgetIfDone(stream)
        events.onReader?.(isAttached)
      },
      onCommitted: () => forgetIfDone(stream),
    }
    const stream: EventStream =
      log === undefined || sessionId === undefined
        ? createUnloggedStream({ rules, events: own, id: streamId, bufferedBytes, trace })
        : createEventStream({
            rules,
            events: own,
            ref: { sessionId, streamId },
            log,
            replay,
            bufferedBytes,
            about,
            hasPriming,
            trace,
            onError,
          })
    streams.set(streamId, stream)
    return stream
  }

  /** What is left of it is in the log. */
  function forgetIfDone(stream: EventStream): void {
    if (!stream.isEnded || stream.isAttached || stream.committed) return
    streams.delete(stream.id)
    const index = listeners.indexOf(stream)
    if (index !== -1) listeners.splice(index, 1)
  }

  function follow(streamId: string, output: StreamOutput, after: number): () => void {
    if (log === undefined || sessionId === undefined) return () => undefined
    followed.get(streamId)?.close()
    const own: ResumedStream = resumeStream({
      rules,
      lookMs,
      trace,
      onError,
      log,
      ref: { sessionId, streamId },
      output,
      after,
      onClosed() {
        open -= 1
        if (followed.get(streamId) === own) followed.delete(streamId)
      },
    })
    open += 1
    followed.set(streamId, own)
    own.start()
    return own.detach
  }

  return {
    countOpen: () => open,
    isIdle: () => streams.size === 0 && followed.size === 0,
    create,
    listen(output) {
      const stream = create()
      listeners.push(stream)
      if (listeners.length > mostListeners) listeners.shift()?.end()
      stream.attach(output)
      return stream
    },
    resume(streamId, output, after) {
      const stream = streams.get(streamId)
      if (stream === undefined) return follow(streamId, output, after)
      stream.attach(output, after)
      return () => stream.detach(output)
    },
    tell: (json) =>
      (listeners.findLast(({ isAttached }) => isAttached) ?? listeners.at(-1))?.send(json),

    sweep() {
      const now = rules.clock.now()
      const left = listeners.filter(
        ({ isAttached, leftAt }) => !isAttached && now - leftAt >= keepListenerMs,
      )
      for (const stream of left) stream.end()
    },

    release(retryMs) {
      for (const stream of streams.values()) stream.release(retryMs)
      for (const stream of followed.values()) stream.release(retryMs)
    },

    end() {
      for (const stream of streams.values()) stream.end()
      for (const stream of followed.values()) stream.close()
      const waits = [...streams.values()].flatMap(({ committed }) => committed ?? [])
      return waits.length === 0 ? undefined : Promise.all(waits)
    },

    discard() {
      for (const stream of streams.values()) stream.end()
      for (const stream of streams.values()) stream.discard()
      for (const stream of followed.values()) stream.close()
      streams.clear()
      listeners.length = 0
    },
  }
}
