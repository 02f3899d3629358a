import type { OnError } from '../../rpc/error-report.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { encodeEventId } from './event-id.ts'
import type { EventBatch, EventLog, ReplayLimits, StreamRef } from './event-log.ts'
import type { StreamOutput } from './exchange.ts'
import { createLogReader, type LogReader } from './log-reader.ts'
import { encodeEvent, encodePosition } from './sse-event.ts'
import type { ConnectionRules } from './stream-connection.ts'
import type { Trace } from './trace.ts'

/** Server-sent events with at most one reader at a time. */
export interface EventStream {
  readonly id: string
  readonly isEnded: boolean
  readonly isAttached: boolean
  /** Since when it has no reader. */
  readonly leftAt: number
  /** Set while the reader is slow, or the log. */
  readonly room: Promise<void> | undefined
  /** False when as much waits for the reader as may; what can be left out should be. */
  readonly hasSpace: boolean
  /** JSON without line breaks. */
  send(json: string): void
  /** Sends what follows event number `after`, or only what is new; an earlier reader is closed. */
  attach(output: StreamOutput, after?: number): void
  detach(output: StreamOutput): void
  /** No more events: the reader is closed once it has all of them. */
  end(): void
  /** Closes the reader with a hint when to come back; the stream goes on. */
  release(retryMs: number): void
  /** How long ago it was read here or elsewhere. */
  readAgoMs(): MaybePromise<number | undefined>
  /** Set while there are events that are not in the log yet. */
  readonly committed: Promise<void> | undefined
  /** Nobody will read it: what is not in the log yet is given up. */
  discard(): void
}

/** Whom a stream tells about itself. */
export interface StreamEvents {
  /** A reader came or went. */
  onReader?(isAttached: boolean): void
  /** It belongs to somebody else now, or to nobody: what is sent on it goes nowhere. */
  onFenced?(): void
  /** It has ended, and the log knows. */
  onCommitted?(): void
}

export interface EventStreamOptions extends ConnectionRules, StreamEvents {
  readonly ref: StreamRef
  readonly log: EventLog
  /** What the log keeps of one stream. */
  readonly replay: Pick<ReplayLimits, 'events' | 'bytes'>
  /** As much may wait for a log that cannot be reached. */
  readonly bufferedBytes: number
  /** The reader is told where it is by an event, not only by an id. */
  readonly hasPriming: boolean
  readonly trace: Trace
  readonly onError: OnError
}

/** Part of what the log keeps that events may fill which can be left out; the rest is for those that cannot. */
const droppableShare = 0.9
/** Committed at once however many are sent in one turn; small enough to stay within what the reader takes. */
const batchEvents = 64
const batchBytes = 64 * 1024
const shortestRetryMs = 100
const longestRetryMs = 2_000

/** A stream whose events are in the log first and on their way second. */
export function createEventStream(options: EventStreamOptions): EventStream {
  const { ref, log, replay, bufferedBytes, clock, trace, onError } = options
  const id = ref.streamId
  let sequence = 0
  let queue: string[] = []
  let waitingBytes = 0 // not in the log yet
  let isScheduled = false
  let isAppending = false
  let isOpened = false
  let isEnded = false
  let isOver = false // nothing more will be appended
  let retryMs = shortestRetryMs
  let retry: Disposable | undefined
  let reader: LogReader | undefined
  let readUpTo = 0
  let unreadBytes = 0 // at most: since the reader was last up to date
  let leftAt = clock.now()
  let releaseMs: number | undefined // as soon as the reader knows where it is
  let room: Signal | undefined
  let commitment: Signal | undefined

  function schedule(): void {
    if (isScheduled || isAppending) return
    isScheduled = true
    queueMicrotask(flush)
  }

  function flush(): void {
    isScheduled = false
    if (isAppending || isOver) return
    const hasNews = queue.length > 0 || !isOpened || isEnded
    if (!hasNews) return
    const texts = queue
    queue = []
    append({ firstSequence: sequence - texts.length + 1, texts, isLast: isEnded })
  }

  function append(batch: EventBatch): void {
    try {
      const kept = log.append(ref, batch)
      if (!isPromise(kept)) return settle(batch, kept)
      isAppending = true
      void kept.then(
        (isKept) => settle(batch, isKept),
        (error: unknown) => appendLater(batch, error),
      )
    } catch (error) {
      appendLater(batch, error)
    }
  }

  /** The same batch, until it is known to be in the log: what is there already is not added twice. */
  function appendLater(batch: EventBatch, error: unknown): void {
    isAppending = true
    if (retryMs === shortestRetryMs) onError(error, { severity: 'error', operation: 'event log' })
    retry = clock.setTimer(() => append(batch), retryMs)
    retryMs = Math.min(longestRetryMs, retryMs * 2)
  }

  function settle({ firstSequence, texts, isLast }: EventBatch, isKept: boolean): void {
    isAppending = false
    retryMs = shortestRetryMs
    if (isOver) return
    if (!isKept) return fence()
    waitingBytes -= texts.reduce((sum, text) => sum + text.length, 0)
    open()
    reader?.feed(firstSequence, texts, isLast)
    if (isLast) finish()
    if (releaseMs !== undefined) reader?.release(releaseMs)
    if (waitingBytes < bufferedBytes) room = room?.give()
    if (queue.length > 0 || (isEnded && !isOver)) flush()
    else commitment = commitment?.give()
  }

  function open(): void {
    if (isOpened) return
    isOpened = true
    const position = encodeEventId(id, 0)
    reader?.begin(options.hasPriming ? encodeEvent('', { id: position }) : encodePosition(position))
  }

  function finish(): void {
    isOver = true
    options.onCommitted?.()
  }

  function giveUp(): void {
    isEnded = true
    isOver = true
    queue = []
    retry?.[Symbol.dispose]()
    room = room?.give()
    commitment = commitment?.give()
  }

  function fence(): void {
    giveUp()
    reader?.cut()
    options.onFenced?.()
    options.onCommitted?.()
  }

  function onClosed(gone: LogReader): void {
    if (reader !== gone) return
    readUpTo = gone.after
    leftAt = clock.now()
    reader = undefined
    releaseMs = undefined
    options.onReader?.(false)
  }

  function attach(output: StreamOutput, after?: number): void {
    reader?.close()
    const own: LogReader = createLogReader({
      ...options,
      output,
      after: after ?? sequence,
      onError: (error) => onError(error, { severity: 'error', operation: 'event log' }),
      onClosed: () => onClosed(own),
    })
    reader = own
    options.onReader?.(true)
    if (!isOpened) return schedule()
    own.begin(after === undefined ? encodePosition(encodeEventId(id, sequence)) : undefined)
    own.wake()
  }

  function release(ms: number): void {
    if (!isOpened) {
      releaseMs = ms
      return schedule()
    }
    flush()
    reader?.release(ms)
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
    get room() {
      if (waitingBytes < bufferedBytes) return reader?.output.room
      room ??= createSignal()
      return room.promise
    },
    get hasSpace() {
      const unread = sequence - (reader?.after ?? readUpTo)
      return (
        waitingBytes < bufferedBytes &&
        unread < replay.events * droppableShare &&
        (unread === 0 || unreadBytes < replay.bytes * droppableShare)
      )
    },
    get committed() {
      if (!isAppending && queue.length === 0) return undefined
      commitment ??= createSignal()
      return commitment.promise
    },

    send(json) {
      if (isEnded) return
      trace('out', json, id)
      if (reader?.after === sequence) unreadBytes = 0
      sequence += 1
      const text = encodeEvent(json, { id: encodeEventId(id, sequence) })
      queue.push(text)
      waitingBytes += text.length
      unreadBytes += text.length
      if (queue.length >= batchEvents || waitingBytes >= batchBytes) flush()
      else schedule()
    },

    attach,
    detach(output) {
      if (reader?.output === output) reader.detach()
    },
    end() {
      if (isEnded) return
      isEnded = true
      if (reader === undefined) leftAt = clock.now()
      flush()
    },
    release,
    readAgoMs: () => log.readAgoMs(ref),
    discard() {
      giveUp()
      reader?.close()
    },
  }
}

interface Signal {
  readonly promise: Promise<void>
  /** Lets go of who waits. */
  give(): undefined
}

function createSignal(): Signal {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  return {
    promise,
    give() {
      resolve()
      return undefined
    },
  }
}
