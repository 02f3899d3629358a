/**
 * The event streams of one session at this process: those of its calls, and those the client listens on.
 *
 * Creates streams, finds the one that a client resumes, and follows a stream that another process writes. `Listeners` chooses the
 * stream for messages that belong to no call: one only, the newest that has a reader. Writing and logging events is done by
 * `EventStream`; `get-request.ts` handles the request of the reader.
 */
import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import type { StreamOutput } from './runtime/exchange.ts'
import { randomId } from './sessions/random-id.ts'
import type { EventLog, ReplayLimits } from './streams/event-log.ts'
import { createEventStream, type EventStream, type StreamEvents } from './streams/event-stream.ts'
import { resumeStream, type ResumedStream } from './streams/resumed-stream.ts'
import type { ConnectionRules } from './streams/stream-reader.ts'
import { createUnloggedStream } from './streams/unlogged-stream.ts'
import type { Trace } from './trace.ts'

export interface SessionStreamsOptions {
  readonly rules: ConnectionRules
  /** Undefined keeps nothing and gives no ids. */
  readonly sessionId: string | undefined
  readonly log: EventLog | undefined
  readonly replay: Pick<ReplayLimits, 'events' | 'bytes'>
  readonly bufferedBytes: number
  readonly hasPriming: boolean
  /** How often a stream that is written elsewhere is looked at, whether or not there is a hint. @defaultValue 3_000 */
  readonly pollMs?: number | undefined
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
  /** Those for what belongs to no call. */
  readonly listeners: Listeners
  /** A stream for what belongs to no call. */
  listen(output: StreamOutput, claim?: Claim): EventStream
  /** This id is one of a stream for what belongs to no call, whether or not it is known. */
  isListener(streamId: string): boolean
  /** True if a client that resumes this stream listens here from then on, because it is written at another process or has ended. */
  isMoving(streamId: string): boolean
  /**
   * Goes on with a stream after event number `after`, wherever it is written. With a claim it is followed by what belongs to
   * no call from now on. Returns what to do when the reader goes.
   */
  resume(streamId: string, output: StreamOutput, after: number, claim?: Claim): () => void
  /** Closes every reader with a hint when to come back. */
  release(retryMs: number): void
  /** Ends every stream; resolves, if it is a promise, when the log knows. */
  end(): Promise<unknown> | undefined
  /** Ends every stream and drops its events: the session is over. */
  discard(): void
}

const tagLength = 16
/** After the tag in the id of a stream that belongs to no call. */
const listenerMark = 'y'

export function createSessionStreams(options: SessionStreamsOptions): SessionStreams {
  const { sessionId, log, rules, replay, bufferedBytes, hasPriming, pollMs = 3_000 } = options
  const { trace, onError } = options
  const streams = new Map<string, EventStream>() // until they have ended and nobody reads them
  const subscribed = new Map<string, ResumedStream>()
  const listeners = createListeners(rules.clock)
  let tag: string | undefined // so that an id of another session means nothing here
  let lastStream = 0
  let open = 0

  function create(events: StreamEvents = {}, about?: string, mark = 'x'): EventStream {
    tag ??= randomId().slice(0, tagLength)
    const streamId = `${tag}${mark}${(++lastStream).toString(36)}`
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

  /** Forgets a stream that has ended and has no reader: the log has the rest. */
  function forgetIfDone(stream: EventStream): void {
    if (!stream.isEnded || stream.isAttached || stream.committed) return
    streams.delete(stream.id)
    listeners.forget(stream)
  }

  function follow(
    streamId: string,
    output: StreamOutput,
    after: number,
    next?: EventStream,
  ): () => void {
    if (log === undefined || sessionId === undefined) return () => undefined
    subscribed.get(streamId)?.close()
    const own: ResumedStream = resumeStream({
      rules,
      pollMs,
      trace,
      onError,
      log,
      ref: { sessionId, streamId },
      output,
      after,
      onLast: next && (() => resume(own, next)),
      onClosed() {
        open -= 1
        if (subscribed.get(streamId) === own) subscribed.delete(streamId)
      },
    })
    open += 1
    subscribed.set(streamId, own)
    own.start()
    return () => {
      own.detach()
      next?.detach(output)
    }

    /** On the same connection. */
    function resume(ended: ResumedStream, stream: EventStream): void {
      ended.detach()
      stream.attach(output, 0)
    }
  }

  function isListener(streamId: string): boolean {
    return streamId[tagLength] === listenerMark
  }

  function isWrittenHere(streamId: string): boolean {
    return streams.get(streamId)?.isEnded === false
  }

  return {
    countOpen: () => open,
    isIdle: () => streams.size === 0 && subscribed.size === 0 && listeners.isIdle(),
    create,
    listeners,
    listen(output, claim) {
      const stream = create({}, undefined, listenerMark)
      stream.attach(output)
      listeners.add(stream, claim)
      return stream
    },
    isListener,
    isMoving: (streamId) => isListener(streamId) && !isWrittenHere(streamId),
    resume(streamId, output, after, claim) {
      const stream = streams.get(streamId)
      if (claim) {
        const next = create({}, undefined, listenerMark)
        listeners.add(next, claim)
        return follow(streamId, output, after, next)
      }
      if (stream === undefined) return follow(streamId, output, after)
      stream.attach(output, after)
      return () => stream.detach(output)
    },
    release(retryMs) {
      for (const stream of streams.values()) stream.release(retryMs)
      for (const stream of subscribed.values()) stream.release(retryMs)
    },

    end() {
      for (const stream of streams.values()) stream.end()
      for (const stream of subscribed.values()) stream.close()
      const waits = [...streams.values()].flatMap(({ committed }) => committed ?? [])
      return waits.length === 0 ? undefined : Promise.all(waits)
    },

    discard() {
      for (const stream of streams.values()) stream.end()
      for (const stream of streams.values()) stream.discard()
      for (const stream of subscribed.values()) stream.close()
      streams.clear()
      listeners.clear()
    },
  }
}

/** A stream for what belongs to no call that is about to be opened here: the other processes are told first. */
export interface Claim {
  readonly id: string
}

/**
 * The streams of one session that carry what belongs to no call. Of several in this process the newest is used; of several
 * processes only the one where the client listened last has any.
 */
export interface Listeners {
  /** Nothing is listened to, and nobody is about to. */
  isIdle(): boolean
  claim(): Claim
  /** It will not be opened. */
  drop(claim: Claim): void
  /** A claim is needed where there are other processes. */
  add(stream: EventStream, claim: Claim | undefined): void
  forget(stream: EventStream): void
  /** Sends on one stream only: the newest that has a reader, else the newest. False without any. */
  send(json: string): boolean
  /**
   * All processes receive listener claims in the same order. A claim from another process replaces older claims of this one,
   * and claims of this process that were not received yet are newer.
   */
  receive(own: string | undefined): void
  /** Called when messages were lost: a claim from another process that comes now is newer. */
  onMessagesLost(): void
  /** Ends streams whose readers have been away for too long. */
  sweep(): void
  clear(): void
}

interface LocalClaim extends Claim {
  isReceived: boolean
  isDisconnected: boolean
  stream: EventStream | undefined
}

/** Read at once by one client that listens. */
const maxListeners = 16
/** How long a listener that lost its connection may come back. */
const keepListenerMs = 600_000

function createListeners(clock: Clock): Listeners {
  const listeners: EventStream[] = []
  const claims = new Map<string, LocalClaim>()

  return {
    isIdle: () => listeners.length === 0 && claims.size === 0,

    claim() {
      const id = randomId().slice(0, 16)
      const claim: LocalClaim = { id, isReceived: false, isDisconnected: false, stream: undefined }
      claims.set(id, claim)
      return claim
    },

    drop: ({ id }) => void claims.delete(id),

    add(stream, claim) {
      listeners.push(stream)
      if (listeners.length > maxListeners) listeners.shift()?.end()
      const own = claim && claims.get(claim.id)
      if (own) own.stream = stream
      if (own?.isDisconnected) stream.end()
    },

    forget(stream) {
      const index = listeners.indexOf(stream)
      if (index !== -1) listeners.splice(index, 1)
      for (const [id, claim] of claims) if (claim.stream === stream) claims.delete(id)
    },

    send(json) {
      const open = listeners.filter(({ isEnded }) => !isEnded)
      const stream = open.findLast(({ isAttached }) => isAttached) ?? open.at(-1)
      stream?.send(json)
      return stream !== undefined
    },

    receive(own) {
      const existing = own === undefined ? undefined : claims.get(own)
      if (existing) existing.isReceived = true
      if (own !== undefined) return
      for (const claim of claims.values()) {
        if (!claim.isReceived) continue
        claim.isDisconnected = true
        claim.stream?.end()
      }
    },

    onMessagesLost() {
      for (const claim of claims.values()) claim.isReceived = true
    },

    sweep() {
      const now = clock.now()
      const left = listeners.filter(
        ({ isAttached, leftAt }) => !isAttached && now - leftAt >= keepListenerMs,
      )
      for (const stream of left) stream.end()
    },

    clear() {
      listeners.length = 0
      claims.clear()
    },
  }
}
