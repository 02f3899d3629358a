import { type Clock, type SharedTimer } from '../../../rpc/time/clock.ts'
import type { StreamOutput } from '../runtime/exchange.ts'
import { createKeepAlive } from './keep-alive.ts'
import { encodeRetry, keepAliveComment } from './sse-event.ts'

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
