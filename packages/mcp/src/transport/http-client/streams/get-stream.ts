/**
 * The GET stream of a Streamable HTTP session, for messages that belong to no request. It is open while the client needs it, opened
 * again with growing pauses, and resumed by the id of the last event. A server that has none (405) is not asked again.
 *
 * `streamable-channel.ts` is the one user; responses to requests are read by `answer-stream.ts`.
 */

import { createBackoff } from '../../../rpc/backoff.ts'
import type { McpError } from '../../../rpc/errors/mcp-error.ts'
import type { ChannelContext } from '../channel.ts'
import type { PendingCall } from '../endpoint.ts'
import { readIncoming, type Incoming } from '../incoming.ts'
import { asHttpError } from '../request/answer-failures.ts'
import { lostRequest } from '../request/failures.ts'
import type { HttpResponse } from '../request/http-request.ts'
import { readRejection } from '../request/refusal.ts'
import { retryAfterMs } from '../request/refusal.ts'
import { isEventStream } from './answer-stream.ts'
import { readEvents } from './read-events.ts'
import { watchSilence } from './silence.ts'

/** The stream of messages that belong to no call, open while the client needs it. */
export interface GetStream {
  /** Set while it is needed and down. */
  readonly fault: McpError | undefined
  /** Opens or closes it as needed; resolves when it is open, or known not to come. */
  check(): Promise<void>
  stop(): void
}

export interface GetStreamOptions {
  readonly parts: ChannelContext
  readonly isNeeded: () => boolean
  readonly open: (lastEventId: string | undefined) => PendingCall
  readonly onMessage: (incoming: Incoming) => Promise<void> | void
  /** True if the answer says that the session is no more. */
  readonly isSessionEnded: (answer: HttpResponse) => boolean
  readonly onSessionLost: () => void
  readonly onChange: () => void
}

export function createGetStream(options: GetStreamOptions): GetStream {
  const { parts, isNeeded } = options
  const { clock, limits, peer, link } = parts
  const { minDelayMs = 500, maxDelayMs = 30_000 } = parts.reconnect ?? {}
  const backoff = createBackoff({ clock, minDelayMs, maxDelayMs })
  let running: Promise<void> | undefined
  let call: PendingCall | undefined
  let wake: (() => void) | undefined
  let isStopped = false
  /** 405 and the like: this server has no such stream. */
  let isAbsent = false
  let wasOpen = false
  let lastEventId: string | undefined
  let retryMs: number | undefined
  /** The pause that the last rejection asked for. */
  let rejectedMs: number | undefined
  let problem: McpError | undefined
  let opened: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined

  const isWanted = (): boolean => !isStopped && !isAbsent && isNeeded()

  async function run(): Promise<void> {
    while (isWanted()) {
      const broken = await openAndRead()
      if (!isWanted()) break
      if (broken !== undefined) setProblem(lostRequest(broken, peer))
      opened?.resolve()
      await sleep(backoff.next(rejectedMs ?? retryMs))
    }
    setProblem(undefined)
    opened?.resolve()
    running = undefined
  }

  /** Why it broke off, undefined for a clean end. */
  async function openAndRead(): Promise<unknown> {
    try {
      rejectedMs = undefined
      call = options.open(lastEventId)
      const answer = await call.answer
      if (!isWanted()) return call.abort()
      if (!(await isOpen(answer, call))) return undefined
      if (wasOpen && lastEventId === undefined) link?.onGap()
      wasOpen = true
      backoff.succeeded()
      setProblem(undefined)
      opened?.resolve()
      await readEvents(answer, call, {
        peer,
        maxBytes: limits.messageBytes,
        onEvent({ name, data, id }) {
          lastEventId = id ?? lastEventId
          if (name !== 'message' || data === '') return undefined
          return options.onMessage(readIncoming(data, limits))
        },
        onRetry: (ms) => (retryMs = ms),
        silence: watchSilence(clock, call.abort),
      })
      return undefined
    } catch (error) {
      return error
    } finally {
      call = undefined
    }
  }

  /** Returns false if there is no such stream, or the session has ended. Throws if it may come later. */
  async function isOpen(answer: HttpResponse, exchange: PendingCall): Promise<boolean> {
    if (isEventStream(answer)) return true
    const { status } = answer
    // Servers without the stream say 405, or whatever their router says of a GET it does not know.
    const isUnknown = status < 500 && ![401, 403, 408, 429].includes(status)
    if (status === 405 || (isUnknown && !wasOpen)) {
      isAbsent = true
      void answer.discard()
      return false
    }
    if (options.isSessionEnded(answer)) {
      isStopped = true
      options.onSessionLost()
      return false
    }
    if (isUnknown) lastEventId = undefined // perhaps only the way back is gone
    rejectedMs = retryAfterMs(answer)
    throw asHttpError(await readRejection(answer, exchange, parts), status, peer)
  }

  function setProblem(next: McpError | undefined): void {
    if (problem === next) return
    problem = next
    options.onChange()
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.setTimer(resolve, ms)
      wake = () => {
        timer[Symbol.dispose]()
        resolve()
      }
    })
  }

  return {
    get fault() {
      return problem
    },
    check() {
      if (!isWanted()) {
        call?.abort()
        wake?.()
        return Promise.resolve()
      }
      if (running === undefined) {
        opened = createSettled()
        running = run()
      }
      return opened?.promise ?? Promise.resolve()
    },
    stop() {
      isStopped = true
      call?.abort()
      wake?.()
    },
  }
}

function createSettled() {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
