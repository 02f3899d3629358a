/**
 * Limits of concurrency: how many sessions, streams, sockets and requests a caller may have at once, and all anonymous callers together.
 * Also the HTTP errors for exceeded limits.
 *
 * Counts only; who a caller is, is decided by the guard, and memory is counted by `rpc/memory-budget.ts`.
 */

import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import type { RequestId } from '../../../rpc/message.ts'
import { shuttingDown, tooManyAtOnce } from '../../../server/calls/calls-in-flight.ts'
import { isAddress, isAnonymous, type QuotaKey } from '../admitted-request.ts'
import { HttpError } from './http-errors.ts'

// Too many at once: 429 where one caller has too much, 503 where all of them together have.

/** How many sessions, listeners or sockets there may be at once. */
export interface SessionCaps {
  readonly total: number
  /** For one verified principal. */
  readonly perPrincipal: number
  /** For anonymous callers at one address that is not local. */
  readonly perAddress: number
}

/** The caps as an option: the total, or any of them. */
export type SessionCapsOption =
  | number
  | { readonly [Cap in keyof SessionCaps]?: SessionCaps[Cap] | undefined }

/** The caps with their defaults. */
export function resolveSessionCaps(
  option: SessionCapsOption = {},
  defaultTotal = 10_000,
): SessionCaps {
  const limits = typeof option === 'number' ? { total: option } : option
  const { total = defaultTotal, perPrincipal = 100, perAddress = Math.ceil(total / 10) } = limits
  return { total, perPrincipal, perAddress }
}

/** Counts what callers have at once that no session counts. */
export interface ConcurrencyLimit {
  /** Throws `HttpError` beyond the limit. */
  enter(quotaKey: QuotaKey, requests: number): void
  /** Gives the room back. */
  leave(quotaKey: QuotaKey, requests: number): void
}

/** How much one caller may have, and how much all anonymous callers. */
export interface CallerLimits {
  /** For one verified principal. */
  readonly principal: number
  /** For one address. */
  readonly address: number
  /** For local callers, and those whose address is unknown, together. */
  readonly local: number
  /** For all anonymous callers together. */
  readonly anonymous: number
  /** For the refusal: `more … allows`. */
  readonly what: string
  readonly option: string
}

/** For requests in flight. */
export function requestLimits(limits: { readonly inFlight: number }): CallerLimits {
  return {
    get principal() {
      return limits.inFlight
    },
    get address() {
      return limits.inFlight
    },
    get local() {
      return limits.inFlight
    },
    get anonymous() {
      return 10 * limits.inFlight
    },
    what: 'requests',
    option: 'limits.inFlight',
  }
}

/** For what stays open: counted as sessions are. */
export function openLimits(caps: SessionCaps, what: string, option = 'maxSessions'): CallerLimits {
  const { total, perPrincipal, perAddress } = caps
  return {
    principal: perPrincipal,
    address: perAddress,
    local: total,
    anonymous: total,
    what,
    option,
  }
}

export function createConcurrencyLimit(limits: CallerLimits): ConcurrencyLimit {
  const counts = new Map<QuotaKey, number>()
  let local = 0 // apart, because on most machines there are no others
  let anonymous = 0

  function add(quotaKey: QuotaKey, requests: number): void {
    if (quotaKey === '') local += requests
    else {
      const count = (counts.get(quotaKey) ?? 0) + requests
      if (count === 0) counts.delete(quotaKey)
      else counts.set(quotaKey, count)
      if (!isAddress(quotaKey)) return
    }
    anonymous += requests
  }

  return {
    enter(quotaKey, requests) {
      const own = quotaKey === '' ? local : (counts.get(quotaKey) ?? 0)
      const most = mostOf(quotaKey, limits)
      if (own + requests > most) throw tooMany(quotaKey === '' ? 503 : 429, most, limits)
      if (isAnonymous(quotaKey) && anonymous + requests > limits.anonymous) {
        throw tooMany(503, limits.anonymous, limits)
      }
      add(quotaKey, requests)
    },
    leave: (quotaKey, requests) => add(quotaKey, -requests),
  }
}

function mostOf(quotaKey: QuotaKey, { local, address, principal }: CallerLimits): number {
  if (quotaKey === '') return local
  return isAddress(quotaKey) ? address : principal
}

function tooMany(status: 429 | 503, most: number, { what, option }: CallerLimits): HttpError {
  const why = tooManyAtOnce(what, option, most)
  const error = new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
  return new HttpError(status, error, { 'retry-after': '1' })
}

/** For all callers together, or for one of them. */
export function tooManySessions(status: 429 | 503, most: number): HttpError {
  const who = status === 503 ? 'there are' : 'this caller has'
  const error = new RpcError('overloaded', `${who} ${most} sessions already (maxSessions)`)
  return new HttpError(status, error, { 'retry-after': '10' })
}

/** All sockets are in use. */
export function tooManySockets(most: number): HttpError {
  const error = new RpcError('overloaded', `there are ${most} sockets already`)
  return new HttpError(503, error, { 'retry-after': '5' })
}

/** There is no room for more bytes: of this caller, or of all. */
export function overLimit(error: RpcError<'overloaded'>): HttpError {
  const status = error.data?.limit === 'callerBytes' ? 429 : 503
  return new HttpError(status, error, { 'retry-after': '1' })
}

/** The server is shutting down and takes no more requests. */
export function draining(id?: RequestId): HttpError {
  return new HttpError(503, new RpcError('overloaded', shuttingDown), { 'retry-after': '5' }, id)
}
