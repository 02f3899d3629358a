import { isPromise } from '../../../rpc/promise.ts'
import type { StreamOutput } from '../runtime/exchange.ts'
import type { EventLog, LogPage, StreamRef } from './event-log.ts'
import {
  createStreamConnection,
  defaultRetryMs,
  type ConnectionRules,
  type StreamConnection,
} from './sse.ts'

export interface LogReaderOptions {
  readonly rules: ConnectionRules
  readonly ref: StreamRef
  readonly log: EventLog
  readonly output: StreamOutput
  /** The event the reader has. */
  readonly after: number
  readonly onError: (error: unknown) => void
  readonly onClosed: () => void
  /** There is no more in the log yet, as this page of it says. */
  readonly onCaughtUp?: ((page: LogPage) => void) | undefined
  /** What follows is not in the log any more. @defaultValue the connection is cut */
  readonly onGone?: (() => void) | undefined
  /** The reader has the last event. @defaultValue the connection is closed */
  readonly onLast?: (() => void) | undefined
}

/** A connection that gets the events of one stream as fast as it takes them, whoever writes them. */
export interface LogReader extends Pick<
  StreamConnection,
  'isOpen' | 'output' | 'close' | 'release' | 'cut' | 'detach'
> {
  /** The number of the last event it got. */
  readonly after: number
  /** What the log last said about the stream. */
  readonly about: string | undefined
  /** Before any event. */
  begin(text?: string): void
  /** There may be more in the log. */
  wake(): void
  /** These are new in the log; who is up to date gets them without reading it. */
  feed(firstSequence: number, texts: readonly string[], isLast: boolean): void
  /** Closes after events that are not in the log. */
  endWith(texts: readonly string[]): void
}

/** Events read from the log at a time. */
const pageSize = 64

export function createLogReader(options: LogReaderOptions): LogReader {
  const { ref, log, output, rules, onError } = options
  let { after } = options
  let about: string | undefined
  let isReading = false
  let isStale = false // there may be more than was read
  let page: LogPage | undefined // of which the reader has not taken everything
  let taken = 0 // of its events
  const connection = createStreamConnection({
    rules,
    output,
    onClosed() {
      page = undefined
      options.onClosed()
    },
    isHeldUp: () => isReading && output.room !== undefined,
  })
  const { onGone = connection.cut, onLast = connection.close } = options

  function wake(): void {
    isStale = true
    if (!isReading) readOn()
  }

  function readOn(): void {
    isReading = true
    while (connection.isOpen) {
      const { room } = output
      if (room !== undefined) return void room.then(readOn)
      if (page !== undefined) {
        if (!deliver(page)) return
        continue
      }
      isStale = false
      const next = read()
      if (isPromise(next)) {
        return void next.then((later) => {
          if (take(later)) readOn()
        }, fail)
      }
      const isMore = take(next)
      page = undefined // a log in this process is read again: that costs nothing, and holds nothing here
      if (!isMore) return
    }
  }

  function read(): ReturnType<EventLog['read']> {
    try {
      return log.read(ref, after, pageSize)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** True if there may be more. */
  function take(next: LogPage | undefined): boolean {
    if (!connection.isOpen) return false
    if (next === undefined) {
      onGone()
      return false
    }
    about = next.about
    page = next
    taken = 0
    return deliver(next)
  }

  /** The same. */
  function deliver(current: LogPage): boolean {
    if (!write(current)) return connection.isOpen
    if (current.isLast) onLast()
    else if (current.texts.length > 0 || isStale) return connection.isOpen
    else {
      isReading = false
      options.onCaughtUp?.(current)
    }
    return false
  }

  /** False if the reader has to catch its breath before the rest, which waits here: nothing is read twice. */
  function write({ texts }: LogPage): boolean {
    while (taken < texts.length) {
      connection.write(texts[taken] ?? '')
      taken += 1
      after += 1
      if (output.room !== undefined && taken < texts.length) return false
    }
    page = undefined
    return true
  }

  /** The log cannot be read now: the reader may ask again, and hears then how things stand. */
  function fail(error: unknown): void {
    onError(error)
    connection.release(defaultRetryMs)
  }

  return {
    get isOpen() {
      return connection.isOpen
    },
    get after() {
      return after
    },
    get about() {
      return about
    },
    output,
    begin(text) {
      if (text !== undefined) connection.write(text)
      connection.startPolling()
    },
    wake,
    feed(firstSequence, texts, isLast) {
      if (!connection.isOpen) return
      const isUpToDate = !isReading && firstSequence === after + 1 && output.room === undefined
      if (!isUpToDate) return wake()
      page = { texts, isLast }
      taken = 0
      if (!write(page)) readOn()
      else if (isLast) onLast()
    },
    endWith(texts) {
      for (const text of texts) connection.write(text)
      connection.close()
    },
    close: connection.close,
    release: connection.release,
    cut: connection.cut,
    detach: connection.detach,
  }
}
