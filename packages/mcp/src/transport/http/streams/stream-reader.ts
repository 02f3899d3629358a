/**
 * One connection that reads an event stream: writes the events of the log as fast as the client takes them.
 *
 * `createStreamReader` follows one stream in an `EventLog`, whoever writes it: `EventStream` feeds it what is new, and
 * `resumed-stream.ts` wakes it for a stream that another process writes. `createStreamConnection` is the lower half, for streams
 * without a log too: keep-alive comments, the end of the authorization, closing with a time to come back.
 *
 * Guarantees: events arrive in order and once; a client that reads slowly costs no more than what its connection buffers.
 */
import type { Clock, SharedTimer } from '../../../rpc/clock.ts'
import { isPromise } from '../../../rpc/promise.ts'
import type { StreamOutput } from '../runtime/exchange.ts'
import type { EventLog, LogPage, StreamRef } from './event-log.ts'
import { defaultRetryMs, encodeRetry, keepAliveComment } from './sse.ts'

export interface StreamReaderOptions {
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
  /** Called when the next events are no longer in the log. @defaultValue the connection is cut */
  readonly onGone?: (() => void) | undefined
  /** The reader has the last event. @defaultValue the connection is closed */
  readonly onLast?: (() => void) | undefined
}

/** A connection that gets the events of one stream as fast as it takes them, whoever writes them. */
export interface StreamReader extends Pick<
  StreamConnection,
  'isOpen' | 'output' | 'close' | 'release' | 'cut' | 'detach'
> {
  /** The number of the last event it got. */
  readonly after: number
  /** Open requests of the stream, as the log last described them. */
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

export function createStreamReader(options: StreamReaderOptions): StreamReader {
  const { ref, log, output, rules, onError } = options
  let { after } = options
  let about: string | undefined
  let isReading = false
  let isStale = false // there may be more than was read
  let page: LogPage | undefined // of which the reader has not taken everything
  let readCount = 0 // of its events
  const connection = createStreamConnection({
    rules,
    output,
    onClosed() {
      page = undefined
      options.onClosed()
    },
    isPaused: () => isReading && output.drained !== undefined,
  })
  const { onGone = connection.cut, onLast = connection.close } = options

  function wake(): void {
    isStale = true
    if (!isReading) readOn()
  }

  function readOn(): void {
    isReading = true
    while (connection.isOpen) {
      const { drained } = output
      if (drained !== undefined) return void drained.then(readOn)
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
    readCount = 0
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

  /** False if the reader is full; the rest waits here, so that nothing is read twice. */
  function write({ texts }: LogPage): boolean {
    while (readCount < texts.length) {
      connection.write(texts[readCount] ?? '')
      readCount += 1
      after += 1
      if (output.drained !== undefined && readCount < texts.length) return false
    }
    page = undefined
    return true
  }

  /** Closes the reader with a time to come back: the log is unreachable. */
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
      const isUpToDate = !isReading && firstSequence === after + 1 && output.drained === undefined
      if (!isUpToDate) return wake()
      page = { texts, isLast }
      readCount = 0
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

/** Calls back after every `ms` without anything sent, never for `Infinity`. */
export interface KeepAlive extends Disposable {
  /** Something was sent. */
  touch(): void
}

export function createKeepAlive(clock: Clock, ms: number, onIdle: () => void): KeepAlive {
  let lastAt = clock.now()
  let timer: Disposable | undefined
  if (ms < Infinity) wait(ms)

  function wait(restMs: number): void {
    timer = clock.setTimer(() => {
      const idleMs = clock.now() - lastAt
      if (idleMs < ms) return wait(ms - idleMs)
      lastAt = clock.now()
      wait(ms)
      onIdle()
    }, restMs)
  }

  return {
    touch() {
      lastAt = clock.now()
    },
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  }
}

/** A reader may be over its limit for this long: a burst, or one large message, does not make it slow. */
const graceMs = 5_000

/** Tells, before something is written, whether its reader has stopped reading. */
export function watchSlowReader(
  output: StreamOutput,
  bufferedBytes: number,
  clock: Clock,
): () => boolean {
  let since: number | undefined
  return () => {
    if (output.bufferedBytes <= bufferedBytes) {
      since = undefined
      return false
    }
    since ??= clock.now()
    return clock.now() - since >= graceMs
  }
}

/** Settings of all connections of one session. */
export interface ConnectionRules {
  readonly clock: Clock
  readonly keepAliveMs: number
  /** When to let go of a reader that can come back; undefined is never. */
  readonly releaseAfter: SharedTimer | undefined
  /** A reader that takes nothing is cut off. */
  readonly onCut?: (() => void) | undefined
}

export interface StreamConnectionOptions {
  readonly rules: ConnectionRules
  readonly output: StreamOutput
  /** The reader holds up what it should take. */
  readonly isPaused: () => boolean
  /** Once, whoever ended it. */
  readonly onClosed: () => void
}

/** One connection that reads a stream: what is written to it, signs of life, and its end. */
export interface StreamConnection {
  readonly isOpen: boolean
  readonly output: StreamOutput
  write(text: string): void
  /** From here on the reader knows where it is, so it may be let go. */
  startPolling(): void
  close(): void
  /** Closes with a hint when to come back. */
  release(retryMs: number): void
  /** At once, without what is still on its way. */
  cut(): void
  /** The reader has gone by itself. */
  detach(): void
}

export function createStreamConnection(options: StreamConnectionOptions): StreamConnection {
  const { output, rules, isPaused, onClosed } = options
  const { clock, keepAliveMs } = rules
  const keepAlive = createKeepAlive(clock, keepAliveMs, onIdle)
  const authorization = output.watchReader?.(() => release(defaultRetryMs))
  let polling: Disposable | undefined
  let isOpen = true

  /** Sends a comment, or cuts a reader that has taken nothing for so long: it may come back. */
  function onIdle(): void {
    if (!isPaused()) return write(keepAliveComment)
    rules.onCut?.()
    cut()
  }

  function write(text: string): void {
    if (!isOpen) return
    output.write(text)
    keepAlive.touch()
  }

  function detach(): void {
    if (!isOpen) return
    isOpen = false
    keepAlive[Symbol.dispose]()
    authorization?.[Symbol.dispose]()
    polling?.[Symbol.dispose]()
    onClosed()
  }

  function close(): void {
    if (!isOpen) return
    detach()
    output.end()
  }

  function release(retryMs: number): void {
    write(encodeRetry(retryMs))
    close()
  }

  function cut(): void {
    if (!isOpen) return
    detach()
    output.destroy()
  }

  return {
    get isOpen() {
      return isOpen
    },
    output,
    write,
    startPolling: () => void (polling ??= rules.releaseAfter?.after(() => release(defaultRetryMs))),
    close,
    release,
    cut,
    detach,
  }
}
