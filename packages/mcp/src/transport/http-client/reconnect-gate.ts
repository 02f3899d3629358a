import { keepProcessAlive } from '../../client/connection/hold-process.ts'
import type { ReconnectOptions } from '../../client/options.ts'
import { createBackoff } from '../../rpc/backoff.ts'
import type { Clock } from '../../rpc/clock.ts'
import type { McpError } from '../../rpc/errors/mcp-error.ts'
import type { OutgoingRequest } from './outgoing-request.ts'
import { lostRequest, unreachable } from './request/failures.ts'
import { RequestFailure } from './request/http-request.ts'

/** A server that cannot be reached for a while: what has not left yet waits, one at a time tries. */
export interface ReconnectGate {
  /** Repeats `attempt` until the server was reached or the request is abandoned. */
  reach<T>(
    outgoingRequest: OutgoingRequest,
    attempt: (onSent: () => void) => Promise<T>,
  ): Promise<T>
  /** Set while it lasts. */
  readonly state: OutageState | undefined
}

export interface OutageState {
  readonly attempt: number
  readonly nextAt: number
  readonly cause: McpError
}

export interface OutageOptions {
  readonly clock: Clock
  readonly peer: string
  readonly reconnect: ReconnectOptions | undefined
  /** Before the first success requests fail at once instead of waiting. */
  readonly isEstablished: () => boolean
  readonly onChange: () => void
  /** Called when the allowed number of attempts has failed. */
  readonly onGiveUp: (error: McpError) => void
}

export function createReconnectGate(options: OutageOptions): ReconnectGate {
  const { clock, peer, reconnect, onChange } = options
  const { maxAttempts = Infinity, minDelayMs = 500, maxDelayMs = 30_000 } = reconnect ?? {}
  const backoff = createBackoff({ clock, minDelayMs, maxDelayMs })
  let waiting: { readonly outgoingRequest: OutgoingRequest; readonly resolve: () => void }[] = []
  let state: OutageState | undefined
  let probe: OutgoingRequest | undefined
  /** Set when there are no attempts left. */
  let over: McpError | undefined

  /** Resolves when it is this one's turn to try, or when trying is over. */
  async function turn(outgoingRequest: OutgoingRequest): Promise<void> {
    const called = new Promise<void>((resolve) => {
      waiting.push({ outgoingRequest, resolve })
      outgoingRequest.stop = () => {
        waiting = waiting.filter((other) => other.outgoingRequest !== outgoingRequest)
        resolve()
      }
    })
    await keepProcessAlive(called)
    outgoingRequest.stop = undefined
  }

  function schedule(error: RequestFailure): void {
    const attempt = (state?.attempt ?? 0) + 1
    const cause = unreachable(error, peer)
    if (attempt > maxAttempts) {
      over = cause
      release()
      return options.onGiveUp(cause)
    }
    const delay = backoff.next()
    state = { attempt, nextAt: clock.now() + delay, cause }
    clock.setTimer(next, delay)
    onChange()
  }

  /** The next request tries. Without one the outage is over until the client sends again. */
  function next(): void {
    const first = waiting.shift()
    if (first === undefined) return end()
    probe = first.outgoingRequest
    first.resolve()
  }

  /** The outage is over when the answer begins, or when what was sent does not come back at once. */
  async function tryOnce<T>(
    outgoingRequest: OutgoingRequest,
    attempt: (onSent: () => void) => Promise<T>,
  ): Promise<T> {
    let timer: Disposable | undefined
    try {
      const value = await attempt(() => {
        outgoingRequest.isUnsent = false
        if (probe === outgoingRequest) timer ??= clock.setTimer(end, acceptedMs)
      })
      end()
      return value
    } finally {
      timer?.[Symbol.dispose]()
    }
  }

  function end(): void {
    if (state === undefined) return
    state = undefined
    probe = undefined
    backoff.succeeded()
    release()
    onChange()
  }

  function release(): void {
    const released = waiting
    waiting = []
    for (const { resolve } of released) resolve()
  }

  return {
    get state() {
      return state
    },
    async reach(outgoingRequest, attempt) {
      const { isUnsent } = outgoingRequest
      for (;;) {
        if (state !== undefined && !over && !outgoingRequest.isAbandoned)
          await turn(outgoingRequest)
        try {
          if (outgoingRequest.isAbandoned) throw new RequestFailure('given up', { sent: false })
          // A request that was sent may have had effects, which `unreachable` would deny.
          if (over) throw isUnsent ? over : lostRequest(over.cause, peer)
          return await tryOnce(outgoingRequest, attempt)
        } catch (error) {
          if (outgoingRequest.isAbandoned) {
            if (probe === outgoingRequest) next()
            throw error
          }
          if (over) throw error
          if (!(error instanceof RequestFailure) || error.sent) end()
          else if (reconnect !== undefined && options.isEstablished()) {
            outgoingRequest.isUnsent = isUnsent
            if (state === undefined || probe === outgoingRequest) schedule(error)
            continue
          }
          throw error
        }
      }
    },
  }
}

/** A server that has accepted a request for this long is reachable. */
const acceptedMs = 1_000
