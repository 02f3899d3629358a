import type { OnError } from '../../../rpc/errors/error-report.ts'
import { isPromise } from '../../../rpc/promise.ts'
import type { Clock } from '../../../rpc/time/clock.ts'
import type { EventBatch, EventLog, StreamRef } from './event-log.ts'

export interface LogWriterOptions {
  readonly ref: StreamRef
  readonly log: EventLog
  readonly clock: Clock
  readonly onError: OnError
  /** A batch is in the log. */
  onKept(batch: EventBatch): void
  /** The stream is not ours any more; nothing that waits will be written. */
  onFenced(): void
}

/** Brings the events of one stream into the log: in order, those of one turn together, and again until they are there. */
export interface LogWriter {
  /** Of what is not in the log yet. */
  readonly waitingBytes: number
  /** Set while there is something that is not in the log yet. */
  readonly written: Promise<void> | undefined
  add(text: string): void
  /** What waits, the stream's opening included, goes to the log with the end of this turn. */
  schedule(): void
  /** The same at once. */
  flush(): void
  /** Nothing will follow what waits. */
  end(): void
  /** What waits is given up. */
  stop(): void
}

/** At once however many are added in one turn; small enough to stay within what a reader takes. */
const batchEvents = 64
const batchBytes = 64 * 1024
const shortestRetryMs = 100
const longestRetryMs = 2_000

export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { ref, log, clock, onError } = options
  let queue: string[] = []
  let queueFirst = 1
  let waitingBytes = 0
  let isScheduled = false
  let isBusy = false
  let isOpened = false
  let isEnded = false
  let isOver = false
  let retryMs = shortestRetryMs
  let retry: Disposable | undefined
  let written: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  function schedule(): void {
    if (isScheduled || isBusy) return
    isScheduled = true
    queueMicrotask(flush)
  }

  function flush(): void {
    isScheduled = false
    if (isBusy || isOver || (queue.length === 0 && isOpened && !isEnded)) return
    const batch = { firstSequence: queueFirst, texts: queue, isLast: isEnded }
    queueFirst += queue.length
    queue = []
    append(batch)
  }

  function append(batch: EventBatch): void {
    isBusy = true
    try {
      const isKept = log.append(ref, batch)
      if (!isPromise(isKept)) return settle(batch, isKept)
      void isKept.then(
        (later) => settle(batch, later),
        (error: unknown) => appendLater(batch, error),
      )
    } catch (error) {
      appendLater(batch, error)
    }
  }

  /** The same batch, until it is known to be in the log: what is there already is not added twice. */
  function appendLater(batch: EventBatch, error: unknown): void {
    if (isOver) return
    if (retryMs === shortestRetryMs) onError(error, { severity: 'error', operation: 'event log' })
    retry = clock.setTimer(() => append(batch), retryMs)
    retryMs = Math.min(longestRetryMs, retryMs * 2)
  }

  function settle(batch: EventBatch, isKept: boolean): void {
    if (isOver) return
    isBusy = false
    retryMs = shortestRetryMs
    if (!isKept) {
      stop()
      return options.onFenced()
    }
    isOpened = true
    isOver = batch.isLast
    for (const { length } of batch.texts) waitingBytes -= length
    options.onKept(batch)
    if (queue.length > 0 || (isEnded && !isOver)) flush()
    else release()
  }

  function release(): void {
    written?.resolve()
    written = undefined
  }

  function stop(): void {
    isOver = true
    isBusy = false
    queue = []
    waitingBytes = 0
    retry?.[Symbol.dispose]()
    release()
  }

  return {
    get waitingBytes() {
      return waitingBytes
    },
    get written() {
      if (!isBusy && queue.length === 0) return undefined
      if (written === undefined) {
        let resolve = (): void => undefined
        written = { promise: new Promise<void>((settled) => (resolve = settled)), resolve }
      }
      return written.promise
    },
    add(text) {
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
  }
}
