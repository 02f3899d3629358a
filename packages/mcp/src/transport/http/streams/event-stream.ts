/**
 * An event stream whose events are in the log first, and sent second, so that a client can resume it.
 *
 * Writes through `LogWriter`, feeds the `StreamReader` that is connected, and limits how much an absent or slow reader may leave
 * unread. `unlogged-stream.ts` has the same interface without a log. Which stream a message belongs to is decided by
 * `SessionStreams` and `HttpResponder`. If another process takes the stream over, it is fenced: what is sent on it goes nowhere.
 */
import type { OnError } from '../../../rpc/errors/on-error.ts'
import type { MaybePromise } from '../../../rpc/promise.ts'
import type { StreamOutput } from '../runtime/exchange.ts'
import { afterStore } from '../sessions/store-access.ts'
import type { Trace } from '../trace.ts'
import type { EventLog, LastRead, ReplayLimits, StreamRef } from './event-log.ts'
import { createLogWriter } from './log-writer.ts'
import { eventsMissed, lostResponses, storeAway } from './resumed-stream.ts'
import { encodeEventId, encodeEvent, encodePosition } from './sse.ts'
import { createStreamReader, type StreamReader } from './stream-reader.ts'
import { type ConnectionRules } from './stream-reader.ts'

/** Server-sent events with at most one reader at a time. */
export interface EventStream {
  readonly id: string
  readonly isEnded: boolean
  readonly isAttached: boolean
  /** Since when it has no reader. */
  readonly leftAt: number
  /** Set while the reader is slow, or the log. */
  readonly drained: Promise<void> | undefined
  /** False when as much waits for the reader as may; what can be left out should be. */
  readonly hasSpace: boolean
  /** JSON without line breaks. `about` is what other processes need from now on to end it in our place. */
  send(json: string, about?: string): void
  /** Sends what follows event number `after`, or only what is new; an earlier reader is closed. */
  attach(output: StreamOutput, after?: number): void
  detach(output: StreamOutput): void
  /** No more events: the reader is closed once it has all of them. */
  end(): void
  /** Closes the reader with a hint when to come back; the stream goes on. */
  release(retryMs: number): void
  /** The last reader, here or at another process. */
  lastRead(): MaybePromise<LastRead | undefined>
  /** Set while there are events that are not in the log yet. */
  readonly committed: Promise<void> | undefined
  /** Drops events that are not in the log yet: the session is over. */
  discard(): void
}

/** Callbacks of a stream. */
export interface StreamEvents {
  /** A reader came or went. */
  onReader?(isAttached: boolean): void
  /** Another process took the stream over, or it was dropped: what is sent on it goes nowhere. */
  onFenced?(why: string): void
  /** It has ended, and the log knows. */
  onCommitted?(): void
}

export interface EventStreamOptions {
  readonly rules: ConnectionRules
  readonly events: StreamEvents
  readonly ref: StreamRef
  readonly log: EventLog
  /** Events and bytes that the log keeps of one stream. */
  readonly replay: Pick<ReplayLimits, 'events' | 'bytes'>
  /** Bytes that may wait for an unreachable log. */
  readonly bufferedBytes: number
  /** Describes open requests for other processes, which respond if this one dies. */
  readonly about: string | undefined
  /** The reader is told where it is by an event, not only by an id. */
  readonly hasPriming: boolean
  readonly trace: Trace | undefined
  readonly onError: OnError
}

/** Part of what the log keeps that events may fill which can be left out; the rest is for those that cannot. */
const droppableShare = 0.9
/** Beyond this part the log is asked how far a reader elsewhere is, and so often. */
const requestedShare = 0.4
const requestMs = 250

/** A stream whose events are in the log first and on their way second. */
export function createEventStream(options: EventStreamOptions): EventStream {
  const { ref, log, rules, events, replay, bufferedBytes, trace, onError } = options
  const { clock } = rules
  const id = ref.streamId
  let sequence = 0
  let isOpened = false
  let isEnded = false
  let reader: StreamReader | undefined
  let { about } = options
  let loggedUpTo = 0
  let readUpTo = 0
  let unreadBytes = 0 // at most: since the reader was last up to date
  let leftAt = clock.now()
  let retryAt = -Infinity
  let releaseMs: number | undefined // as soon as the reader knows where it is
  const writer = createLogWriter({
    ref,
    log,
    about,
    bufferedBytes,
    clock,
    onError,
    onLogged({ firstSequence, texts, isLast }) {
      loggedUpTo = firstSequence + texts.length - 1
      open()
      reader?.feed(firstSequence, texts, isLast)
      if (releaseMs !== undefined) reader?.release(releaseMs)
      if (isLast) events.onCommitted?.()
    },
    onFenced() {
      isEnded = true
      leave(reader)
      events.onFenced?.('another process took this stream over')
      events.onCommitted?.()
    },
    onUnwritable: () => giveUp(reader, storeAway),
  })

  /** A reader of a stream that another process has ended reads on there; one of a stream that the log has lost cannot. */
  function leave(reading: StreamReader | undefined): void {
    const cut = (): void => reading?.cut()
    if (log.ending === undefined) return cut()
    void afterStore(
      () => log.read(ref, loggedUpTo, 1),
      (page) => (page === undefined ? giveUp(reading, eventsMissed) : cut()),
      cut,
    )
  }

  /**
   * A reader that has all events of the log gets those that are not in it, and errors for what is still open. For others,
   * and in the log, all ends with errors that was open at the last event there.
   */
  function giveUp(reading: StreamReader | undefined, why: string): void {
    isEnded = true
    const { unlogged, loggedAbout } = writer
    const isUpToDate = reading?.after === loggedUpTo && unlogged.length > 0
    const answers = lostResponses(isUpToDate ? about : loggedAbout, why)
    for (const json of answers) trace?.('out', json, id)
    const rest = [...(isUpToDate ? unlogged : []), ...answers.map((json) => encodeEvent(json))]
    writer.abandon(lostResponses(loggedAbout, why).map((json) => encodeEvent(json)))
    if (about === undefined) reading?.cut()
    else reading?.endWith(rest)
    events.onFenced?.(why)
    events.onCommitted?.()
  }

  function open(): void {
    if (isOpened) return
    isOpened = true
    const position = encodeEventId(id, 0)
    reader?.begin(options.hasPriming ? encodeEvent('', { id: position }) : encodePosition(position))
  }

  /** True if unread events take less than this share of what the log keeps. */
  function isWithin(share: number): boolean {
    const unread = sequence - (reader?.after ?? readUpTo)
    return unread < replay.events * share && (unread === 0 || unreadBytes < replay.bytes * share)
  }

  /** A reader at another process takes what is in the log, which only the log knows. */
  function findReader(): void {
    if (clock.now() < retryAt) return
    retryAt = Infinity
    const again = (): void => void (retryAt = clock.now() + requestMs)
    void afterStore(
      () => log.lastRead(ref),
      (last) => {
        again()
        if (last) readElsewhere(last.after)
      },
      again, // what can be left out is, until the log is back
    )
  }

  function readElsewhere(after: number): void {
    if (reader || after <= readUpTo) return
    unreadBytes *= (sequence - after) / (sequence - readUpTo) // about
    readUpTo = after
  }

  function onClosed(closedReader: StreamReader): void {
    if (reader !== closedReader) return
    readUpTo = closedReader.after
    leftAt = clock.now()
    reader = undefined
    releaseMs = undefined
    events.onReader?.(false)
  }

  function attach(output: StreamOutput, after = sequence): void {
    reader?.close()
    const own: StreamReader = createStreamReader({
      rules,
      ref,
      log,
      output,
      after,
      onError: (error) => onError(error, { severity: 'error', operation: 'event log' }),
      onGone: () => leave(own),
      onClosed: () => onClosed(own),
    })
    reader = own
    events.onReader?.(true)
    if (!isOpened) return writer.schedule()
    own.begin()
    own.wake()
  }

  return {
    id,
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
      return writer.waitingBytes < bufferedBytes ? reader?.output.drained : writer.written
    },
    get hasSpace() {
      if (reader === undefined && !isWithin(requestedShare)) findReader()
      return writer.waitingBytes < bufferedBytes && isWithin(droppableShare)
    },
    get committed() {
      return writer.written
    },

    send(json, newAbout) {
      if (isEnded) return
      trace?.('out', json, id)
      if (reader?.after === sequence) unreadBytes = 0
      sequence += 1
      const text = encodeEvent(json, { id: encodeEventId(id, sequence) })
      unreadBytes += text.length
      if (newAbout !== undefined) about = newAbout
      writer.add(text, newAbout)
    },

    attach,
    detach(output) {
      if (reader?.output === output) reader.detach()
    },
    end() {
      if (isEnded) return
      isEnded = true
      if (reader === undefined) leftAt = clock.now()
      writer.end()
    },
    release(retryMs) {
      if (reader === undefined) return
      releaseMs = retryMs
      writer.flush()
      if (isOpened) reader?.release(retryMs)
    },
    lastRead: () => log.lastRead(ref),
    discard() {
      isEnded = true
      writer.stop()
      reader?.close()
    },
  }
}
