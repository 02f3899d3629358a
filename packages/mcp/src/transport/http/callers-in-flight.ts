import { RpcError } from '../../rpc/rpc-error.ts'
import { HttpRefusal } from './http-errors.ts'

/** Counts the requests of callers that have no session to count them; strangers count as one caller. */
export interface CallersInFlight {
  /** Throws `HttpRefusal` beyond the limit. The returned function gives the room back. */
  enter(principal: string, requests: number): () => void
}

export function createCallersInFlight(limit: number): CallersInFlight {
  const counts = new Map<string, number>()

  function add(principal: string, requests: number): void {
    const count = (counts.get(principal) ?? 0) + requests
    if (count === 0) counts.delete(principal)
    else counts.set(principal, count)
  }

  return {
    enter(principal, requests) {
      if ((counts.get(principal) ?? 0) + requests > limit) throw tooMany(principal, limit)
      add(principal, requests)
      return () => add(principal, -requests)
    },
  }
}

function tooMany(principal: string, limit: number): HttpRefusal {
  const why = `more requests at once than limits.inFlight (${limit}) allows`
  const error = new RpcError('overloaded', why, { data: { retryAfterMs: 1_000 } })
  return new HttpRefusal(principal === '' ? 503 : 429, error, { 'retry-after': '1' })
}
