import { RpcError } from '../rpc/errors/rpc-error.ts'
import { createTokenBucket, type TokenBucket } from '../rpc/time/token-bucket.ts'
import type { Operation } from '../schema/operations.ts'
import type { Caller } from './calls/caller.ts'
import type { CallContext } from './context.ts'
import type { Middleware } from './middleware.ts'

/** Options of `rateLimit`. */
export interface RateLimitOptions {
  /** Requests allowed at once. */
  readonly burst: number
  /** Requests allowed per second after that. */
  readonly perSecond: number
}

/** Middleware for every operation, or for the one it is used on. */
export type RateLimit = <App, O extends Operation>(
  ...args: Parameters<Middleware<App, O>>
) => ReturnType<Middleware<App, O>>

/**
 * Refuses what one caller asks beyond a rate with `overloaded` and `retryAfterMs`; callers do not share it. Each value it
 * returns counts for itself: `server.use('tools/call', rateLimit({ burst: 20, perSecond: 5 }))` counts tool calls alone.
 */
export function rateLimit(options: RateLimitOptions): RateLimit {
  const { burst, perSecond } = options
  if (!(burst >= 1 && perSecond > 0)) {
    throw new RangeError('rateLimit: burst must be at least 1 and perSecond above 0')
  }
  const sessions = new WeakMap<object, TokenBucket>()
  const principals = new Map<string, TokenBucket>()

  function bucketOf({ countedAs, clock }: Caller): TokenBucket {
    if (typeof countedAs === 'object') {
      const known = sessions.get(countedAs) ?? createTokenBucket(clock, options)
      sessions.set(countedAs, known)
      return known
    }
    const known = principals.get(countedAs) ?? createTokenBucket(clock, options)
    principals.delete(countedAs)
    principals.set(countedAs, known) // the least recently used one is forgotten first
    const [oldest] = principals.keys()
    if (principals.size > mostPrincipals && oldest !== undefined) principals.delete(oldest)
    return known
  }

  return async ({ operation, context }, next) => {
    const bucket = bucketOf((context as unknown as CallContext).call.caller) // what middleware is given, behind its public face
    if (bucket.take()) return next()
    throw new RpcError('overloaded', `${operation}: more than ${perSecond} a second`, {
      data: { retryAfterMs: Math.ceil(bucket.waitMs) },
    })
  }
}

/** Callers without a session are remembered by name, up to this number. */
const mostPrincipals = 10_000
