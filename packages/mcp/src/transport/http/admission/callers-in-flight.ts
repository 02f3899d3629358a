import { RpcError } from '../../../rpc/errors/rpc-error.ts'
import { isAddress, type CallerAccount } from './caller-account.ts'
import { HttpRefusal } from './http-errors.ts'
import type { SessionCaps } from './session-caps.ts'

/** Counts what callers have at once that have no session to count it. */
export interface CallersInFlight {
  /** Throws `HttpRefusal` beyond the limit. */
  enter(account: CallerAccount, requests: number): void
  /** Gives the room back. */
  leave(account: CallerAccount, requests: number): void
}

/** How much one caller may have, and how much all strangers. */
export interface CallerLimits {
  /** Of one that was verified. */
  readonly principal: number
  /** Of one address. */
  readonly address: number
  /** Of those whose address is this machine's or not known, together. */
  readonly local: number
  /** Of all that were not verified. */
  readonly strangers: number
  /** For the refusal: `more … allows`. */
  readonly what: string
  readonly option: string
}

/** Who stays is bounded as sessions are. */
export function stayingLimits(
  caps: SessionCaps,
  what: string,
  option = 'maxSessions',
): CallerLimits {
  const { total, perPrincipal, perAddress } = caps
  return {
    principal: perPrincipal,
    address: perAddress,
    local: total,
    strangers: total,
    what,
    option,
  }
}

export function createCallersInFlight(limits: CallerLimits): CallersInFlight {
  const counts = new Map<CallerAccount, number>()
  let local = 0 // apart, as on most machines it is all there is
  let strangers = 0

  function add(account: CallerAccount, requests: number): void {
    if (account === '') local += requests
    else {
      const count = (counts.get(account) ?? 0) + requests
      if (count === 0) counts.delete(account)
      else counts.set(account, count)
      if (!isAddress(account)) return
    }
    strangers += requests
  }

  return {
    enter(account, requests) {
      const isStranger = account === '' || isAddress(account)
      const own = account === '' ? local : (counts.get(account) ?? 0)
      const most = mostOf(account, limits)
      if (own + requests > most) throw tooMany(account === '' ? 503 : 429, most, limits)
      if (isStranger && strangers + requests > limits.strangers) {
        throw tooMany(503, limits.strangers, limits)
      }
      add(account, requests)
    },
    leave: (account, requests) => add(account, -requests),
  }
}

function mostOf(account: CallerAccount, { local, address, principal }: CallerLimits): number {
  if (account === '') return local
  return isAddress(account) ? address : principal
}

function tooMany(status: 429 | 503, most: number, { what, option }: CallerLimits): HttpRefusal {
  const why = `more ${what} at once than ${option} (${most}) allows`
  const error = new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
  return new HttpRefusal(status, error, { 'retry-after': '1' })
}
