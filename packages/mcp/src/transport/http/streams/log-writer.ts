/**
 * Brings the events of one stream into the log: in order, in batches, and again after an outage.
 *
 * Everything up to `bufferedBytes` waits for a log that is unreachable; beyond it the stream is given up. A log in this process
 * takes events at once, without a promise. `EventStream` decides what is written; `StreamReader` reads it.
 */
import type { Clock } from '../../../rpc/clock.ts'
import type { OnError } from '../../../rpc/errors/on-error.ts'
import { isPromise, type MaybePromise } from '../../../rpc/promise.ts'
import type { EventBatch, EventLog, StreamRef } from './event-log.ts'

export interface LogWriterOptions {
  readonly ref: StreamRef
  readonly log: EventLog
  /** The first description of open requests for the log. */
  readonly about: string | undefined
  /** Bytes that may wait for an unreachable log. */
  readonly bufferedBytes: number
  readonly clock: Clock
  readonly onError: OnError
  /** A batch is in the log. */
  onLogged(batch: EventBatch): void
  /** The stream is not ours any more; nothing that waits will be written. */
  onFenced(): void
  /** The log takes nothing: of a new stream, or for long and more waits for it than may. */
  onUnwritable(): void
}

/** Brings the events of one stream into the log: in order, those of one turn together, and again until they are there. */
export interface LogWriter {
  /** Bytes that are not in the log yet. */
  readonly waitingBytes: number
  /** The events that are not known to be in the log, in order. */
  readonly unlogged: readonly string[]
  /** How open requests were described by the last event that is in the log. */
  readonly loggedAbout: string | undefined
  /** Set while there is something that is not in the log yet. */
  readonly written: Promise<void> | undefined
  /** `about` is what the log keeps about the stream from this event on. */
  add(text: string, about?: string): void
  /** Writes waiting events, and the opening of the stream, at the end of this turn. */
  schedule(): void
  /** The same at once. */
  flush(): void
  /** Nothing will follow what waits. */
  end(): void
  /** Drops waiting events. */
  stop(): void
  /** The same, and the stream ends with these events as soon as the log can be reached. */
  abandon(texts: readonly string[]): void
}

/** Something that is asked of the log until it answers. */
interface Job {
  ask(): MaybePromise<boolean>
  resolve(answer: boolean): void
}

/** At once however many are added in one turn; small enough to stay within what a reader takes. */
const batchEvents = 64
const batchBytes = 64 * 1024
const minRetryMs = 100
const maxRetryMs = 2_000
/** A log may be away for so long before a stream is given up of which too much waits. */
const maxOutageMs = 30_000
/** A stream that has not begun is given up sooner: its client would see nothing but silence. */
const maxSilentMs = 1_000

export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { ref, log, clock, onError, bufferedBytes } = options
  let queue: string[] = []
  let queueFirst = 1
  let about = options.about // until it goes to the log
  let loggedAbout = options.about
  let sent: readonly string[] = [] // to the log, which has not answered yet
  let waitingBytes = 0
  let isScheduled = false
  let isOpened = false
  let isEnded = false
  let isOver = false
  let job: Job | undefined
  let retryMs = minRetryMs
  let failingSince: number | undefined
  let retry: Disposable | undefined
  let written: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  function schedule(): void {
    if (isScheduled || job) return
    isScheduled = true
    queueMicrotask(flush)
  }

  function flush(): void {
    isScheduled = false
    if (job || isOver || (queue.length === 0 && isOpened && !isEnded)) return
    const isLast = isEnded
    const batch = {
      firstSequence: queueFirst,
      texts: queue,
      isLast,
      about: isLast ? undefined : about,
    }
    queueFirst += queue.length
    queue = []
    about = undefined
    sent = batch.texts
    run({ ask: () => log.append(ref, batch), resolve: (isStored) => finishBatch(batch, isStored) })
  }

  function run(current: Job): void {
    job = current
    let answer: MaybePromise<boolean>
    try {
      answer = current.ask()
    } catch (error) {
      return runLater(current, error)
    }
    if (!isPromise(answer)) return resolved(current, answer)
    void answer.then(
      (later) => resolved(current, later),
      (error: unknown) => runLater(current, error),
    )
  }

  /** The stream was given up meanwhile: the result of the write no longer counts. */
  function resolved(current: Job, answer: boolean): void {
    if (job !== current) return
    job = undefined
    retryMs = minRetryMs
    failingSince = undefined
    current.resolve(answer)
  }

  /** The same, until it is known to have been done: what is in the log already is not added twice. */
  function runLater(current: Job, error: unknown): void {
    if (job !== current) return
    if (retryMs === minRetryMs) onError(error, { severity: 'error', operation: 'event log' })
    failingSince ??= clock.now()
    retry = clock.setTimer(() => run(current), retryMs)
    retryMs = Math.min(maxRetryMs, retryMs * 2)
    const outageMs = clock.now() - failingSince
    const isTooMuch = outageMs >= maxOutageMs && waitingBytes >= bufferedBytes
    if (isTooMuch || (!isOpened && outageMs >= maxSilentMs)) options.onUnwritable()
  }

  function finishBatch(batch: EventBatch, isStored: boolean): void {
    if (!isStored) {
      stop()
      return options.onFenced()
    }
    isOpened = true
    isOver = batch.isLast
    sent = []
    loggedAbout = batch.about ?? loggedAbout
    for (const { length } of batch.texts) waitingBytes -= length
    options.onLogged(batch)
    if (queue.length > 0 || (isEnded && !isOver)) flush()
    else release()
  }

  function release(): void {
    written?.resolve()
    written = undefined
  }

  function stop(): void {
    isOver = true
    job = undefined
    queue = []
    sent = []
    waitingBytes = 0
    retry?.[Symbol.dispose]()
    release()
  }

  return {
    get waitingBytes() {
      return waitingBytes
    },
    get unlogged() {
      return [...sent, ...queue]
    },
    get loggedAbout() {
      return loggedAbout
    },
    get written() {
      if (isOver || (!job && queue.length === 0)) return undefined
      if (written === undefined) {
        let resolve = (): void => undefined
        written = { promise: new Promise<void>((fulfil) => (resolve = fulfil)), resolve }
      }
      return written.promise
    },
    add(text, newAbout) {
      if (newAbout !== undefined) about = newAbout
      queue.push(text)
      waitingBytes += text.length
      if (queue.length >= batchEvents || waitingBytes >= batchBytes) flush()
      else schedule()
    },
    schedule,
    flush,
    end() {
      isEnded = true
      flush()
    },
    stop,
    abandon(texts) {
      const { ending } = log
      stop()
      // Whether it ends now, or nobody knows it any more: there is nothing left to do.
      if (ending) run({ ask: () => ending.endOwn(ref, texts), resolve: () => undefined })
    },
  }
}
