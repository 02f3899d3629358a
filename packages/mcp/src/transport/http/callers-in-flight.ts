import { RpcError } from '../../rpc/rpc-error.ts'
import { HttpRefusal } from './http-errors.ts'

/** Counts what callers have at once that have no session to count it; strangers count as one caller. */
export interface CallersInFlight {
  /** Throws `HttpRefusal` beyond the limit. */
  enter(principal: string, requests: number): void
  /** Gives the room back. */
  leave(principal: string, requests: number): void
}

/** How much one caller, or all strangers together, may have. */
export interface CallerLimits {
  readonly strangers: number
  readonly principal: number
  /** For the refusal: `more … allows`. */
  readonly what: string
  readonly option: string
}

export function createCallersInFlight(limits: CallerLimits): CallersInFlight {
  const counts = new Map<string, number>()

  function add(principal: string, requests: number): void {
    const count = (counts.get(principal) ?? 0) + requests
    if (count === 0 && principal !== '') counts.delete(principal)
    else counts.set(principal, count)
  }

  return {
    enter(principal, requests) {
      const most = principal === '' ? limits.strangers : limits.principal
      if ((counts.get(principal) ?? 0) + requests > most) throw tooMany(principal, most, limits)
      add(principal, requests)
    },
    leave: (principal, requests) => add(principal, -requests),
  }
}

function tooMany(principal: string, most: number, { what, option }: CallerLimits): HttpRefusal {
  const why = `more ${what} at once than ${option} (${most}) allows`
  const error = new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
  return new HttpRefusal(principal === '' ? 503 : 429, error, { 'retry-after': '1' })
}
