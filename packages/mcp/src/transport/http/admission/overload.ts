/**
 * Refuses new work early when the process has more than it can do, so that what it takes on is answered in time.
 *
 * Measures how late the event loop is while requests come in. When it has been later than `maxLateMs` a few times in a row, a
 * rising part of the new work is refused: first new sessions and streams, then calls of those who have others running, then any
 * calls. Answers, cancellations and the end of sessions are always taken. `post-request.ts` and `get-request.ts` ask before they
 * read a body or start a call.
 */
import type { Clock } from '../../../rpc/clock.ts'
import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { HttpError } from './http-errors.ts'

/** New work, from what is refused first to what is refused last. */
export type NewWork = 'opening' | 'further-call' | 'call'

/** See the head of this file. */
export interface Overload {
  /** How late the event loop was lately, in milliseconds; falls slowly. */
  readonly lateMs: number
  /** Requests that were refused so far. */
  readonly refused: number
  /** Throws 503 if this is refused now. */
  admit(work: NewWork): void
}

const tickMs = 20
/** A single block of the loop, such as loading a module, refuses nobody. */
const lateTicks = 3
/** Someone is always let in, or nobody would know when it is over. */
const maxPart = 0.95
const riseMs = 1_000
const fallMs = 2_000
const minRetrySeconds = 1
const maxRetrySeconds = 5

/** `random` is from 0 to 1. */
export function createOverload(
  { clock, allowedMs }: { readonly clock: Clock; readonly allowedMs: number },
  random: () => number = Math.random,
): Overload {
  let dueAt: number | undefined
  let lateMs = 0
  let late = 0
  let part = 0
  let refused = 0
  let isUsed = false

  function measure(): void {
    isUsed = true
    if (dueAt !== undefined) return
    dueAt = clock.now() + tickMs
    clock.setTimer(tick, tickMs)
  }

  function tick(): void {
    const now = clock.now()
    const lateness = Math.max(0, now - (dueAt ?? now))
    const passedMs = tickMs + lateness
    lateMs = Math.max(lateness, lateMs * 0.8)
    late = lateness > allowedMs ? late + 1 : 0
    if (late >= lateTicks) part = Math.min(maxPart, part + passedMs / riseMs)
    else if (late === 0) part = Math.max(0, part - passedMs / fallMs)
    dueAt = undefined
    if (!isUsed && part === 0 && lateMs < 1) return void (lateMs = 0)
    isUsed = false
    dueAt = now + tickMs
    clock.setTimer(tick, tickMs)
  }

  function refusedPart(work: NewWork): number {
    switch (work) {
      case 'opening':
        return 3 * part
      case 'further-call':
        return 2 * part
      case 'call':
        return 2 * part - 1
    }
  }

  return {
    get lateMs() {
      return lateMs
    },
    get refused() {
      return refused
    },
    admit(work) {
      measure()
      if (part === 0 || random() >= Math.min(maxPart, refusedPart(work))) return
      refused += 1
      const seconds =
        minRetrySeconds + Math.floor(random() * (maxRetrySeconds - minRetrySeconds + 1))
      throw overloaded(Math.round(lateMs), allowedMs, Math.min(seconds, maxRetrySeconds))
    },
  }
}

function overloaded(lateMs: number, allowed: number, seconds: number): HttpError {
  const why = `the server has more work than it can do: it is ${lateMs} ms behind, and maxLateMs allows ${allowed}; try again in ${seconds} s`
  const data = { limit: 'maxLateMs', allowed, retryAfterMs: seconds * 1_000 } as const
  return new HttpError(503, new RpcError('overloaded', why, { data }), {
    'retry-after': String(seconds),
  })
}
