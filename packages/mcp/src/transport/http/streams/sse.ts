import type { Clock, SharedTimer } from '../../../rpc/clock.ts'
import type { StreamOutput } from '../runtime/exchange.ts'

/** One event of a stream as text. Data has no line breaks: it is compact JSON, or a URI. */
export function encodeEvent(
  data: string,
  options: { readonly id?: string; readonly event?: string } = {},
): string {
  const { id, event } = options
  return `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`
}

/** Tells a reader where it is before anything has happened, so that it can resume even from there; no event by itself. */
export function encodePosition(id: string): string {
  return `id: ${id}\n\n`
}

/** Keeps proxies from closing a silent stream; readers skip it. */
export const keepAliveComment = ': keep-alive\n\n'

/** How long a reader should wait before it comes back. */
function encodeRetry(ms: number): string {
  return `retry: ${ms}\n\n`
}

/** Proxies must neither hold back nor change what flows. */
export const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** The stream of an event, and its number there, as text for the wire. */
export function encodeEventId(streamId: string, sequence: number): string {
  return `${streamId}_${sequence}`
}

/** What an event id names; undefined for anything we did not write. */
export function readEventId(
  id: string,
): { readonly streamId: string; readonly sequence: number } | undefined {
  const match = /^([a-z0-9]{1,40})_(0|[1-9]\d{0,14})$/.exec(id)
  const [, streamId, sequence] = match ?? []
  return streamId === undefined || sequence === undefined
    ? undefined
    : { streamId, sequence: Number(sequence) }
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

/** When a reader should come back if nobody says otherwise. */
export const defaultRetryMs = 1_000

/** What the connections of one session have in common. */
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
  readonly isHeldUp: () => boolean
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
  const { output, rules, isHeldUp, onClosed } = options
  const { clock, keepAliveMs } = rules
  const keepAlive = createKeepAlive(clock, keepAliveMs, onIdle)
  const authorization = output.watchReader?.(() => release(defaultRetryMs))
  let polling: Disposable | undefined
  let isOpen = true

  /** Who takes nothing for so long has gone, and may come back. */
  function onIdle(): void {
    if (!isHeldUp()) return write(keepAliveComment)
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
