import { isPromise } from '../../../rpc/promise.ts'
import type { StreamOutput } from '../runtime/exchange.ts'
import type { EventLog, LogPage, StreamRef } from './event-log.ts'
import {
  createStreamConnection,
  defaultRetryMs,
  type ConnectionRules,
  type StreamConnection,
} from './stream-connection.ts'

export interface LogReaderOptions {
  readonly rules: ConnectionRules
  readonly ref: StreamRef
  readonly log: EventLog
  readonly output: StreamOutput
  /** The event the reader has. */
  readonly after: number
  readonly onError: (error: unknown) => void
  readonly onClosed: () => void
}

/** A connection that gets the events of one stream as fast as it takes them, whoever writes them. */
export interface LogReader extends Pick<
  StreamConnection,
  'isOpen' | 'output' | 'close' | 'release' | 'cut' | 'detach'
> {
  /** The number of the last event it got. */
  readonly after: number
  /** Before any event. */
  begin(text?: string): void
  /** There may be more in the log. */
  wake(): void
  /** These are new in the log; who is up to date gets them without reading it. */
  feed(firstSequence: number, texts: readonly string[], isLast: boolean): void
}

/** Events read from the log at a time. */
const pageSize = 64

export function createLogReader(options: LogReaderOptions): LogReader {
  const { ref, log, output, rules, onError, onClosed } = options
  let { after } = options
  let isReading = false
  let isStale = false // there may be more than was read
  const connection = createStreamConnection({
    rules,
    output,
    onClosed,
    isHeldUp: () => isReading && output.room !== undefined,
  })

  function wake(): void {
    isStale = true
    if (!isReading) readOn()
  }

  function readOn(): void {
    isReading = true
    while (connection.isOpen) {
      const { room } = output
      if (room !== undefined) return void room.then(readOn)
      isStale = false
      const page = read()
      if (isPromise(page)) {
        return void page.then((later) => {
          if (take(later)) readOn()
        }, fail)
      }
      if (!take(page)) return
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
  function take(page: LogPage | undefined): boolean {
    if (!connection.isOpen) return false
    if (page === undefined) {
      connection.cut() // gone from the log meanwhile
      return false
    }
    const isWhole = write(page.texts)
    if (isWhole && page.isLast) connection.close()
    else if (isWhole && page.texts.length === 0 && !isStale) isReading = false
    else return connection.isOpen
    return false
  }

  /** False if the reader has to catch its breath before the rest. */
  function write(texts: readonly string[]): boolean {
    for (const [index, text] of texts.entries()) {
      connection.write(text)
      after += 1
      if (output.room !== undefined && index < texts.length - 1) return false
    }
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
    output,
    begin(text) {
      if (text !== undefined) connection.write(text)
      connection.startPolling()
    },
    wake,
    feed(firstSequence, texts, isLast) {
      if (!connection.isOpen) return
      const isUpToDate = !isReading && firstSequence === after + 1 && output.room === undefined
      if (!isUpToDate || !write(texts)) wake()
      else if (isLast) connection.close()
    },
    close: connection.close,
    release: connection.release,
    cut: connection.cut,
    detach: connection.detach,
  }
}
