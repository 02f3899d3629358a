import { quotaKeyOf } from '../rpc/auth-info.ts'
import { BoundedMap } from '../rpc/bounded-map.ts'
import { RpcError } from '../rpc/errors/rpc-error.ts'
import { isPromise } from '../rpc/promise.ts'
import {
  createLeasedBucket,
  type LeasedBucket,
  createTokenBucket,
  type TokenBucket,
} from '../rpc/rate.ts'
import type { Operation } from '../schema/methods/client-requests.ts'
import type { Caller } from './calls/caller.ts'
import type { CallContext } from './context.ts'
import type { Middleware } from './middleware.ts'

/** Options of `rateLimit`. */
export interface RateLimitOptions {
  /** Requests allowed at once. */
  readonly burst: number
  /** Requests allowed per second after that. */
  readonly perSecond: number
  /** Counts a caller over all processes of a cluster instead of each by itself. */
  readonly shared?: SharedRate | undefined
}

/** A rate that all processes of a cluster keep together, approximately: each takes portions of a tenth ahead of need. */
export interface SharedRate {
  /** Limits with the same name count together. */
  readonly name: string
  /** `cluster.budgets` of `@parley/cluster`. While it cannot be reached each process counts alone. */
  readonly budgets: SharedBudgets
}

/** Amounts that several processes use up together. */
export interface SharedBudgets {
  /** Takes up to `wanted` from a budget that holds `capacity` and is filled evenly within `windowMs`; what was granted. */
  take(key: string, wanted: number, capacity: number, windowMs: number): Promise<number>
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
  const sessions = new WeakMap<object, Bucket>()
  const named = new BoundedMap<string, Bucket>(maxNames)

  function createBucket(caller: Caller, name: string): Bucket {
    const { shared } = options
    if (shared === undefined || name === '') return createTokenBucket(caller.clock, options)
    const key = `rate/${shared.name}/${name}`
    const windowMs = (burst / perSecond) * 1_000
    return createLeasedBucket(caller.clock, {
      burst,
      perSecond,
      ask: (wanted) => shared.budgets.take(key, wanted, burst, windowMs),
      onError: (error) => caller.onError(error, { severity: 'warning', operation: 'rateLimit' }),
    })
  }

  function bucketOf(caller: Caller): Bucket {
    const { quotaKey } = caller
    const name = options.shared ? nameOf(caller) : ''
    if (typeof quotaKey === 'object' && name === '') {
      const bucket = sessions.get(quotaKey) ?? createBucket(caller, '')
      sessions.set(quotaKey, bucket)
      return bucket
    }
    const key = typeof quotaKey === 'string' && name === '' ? quotaKey : name
    const existing = named.get(key) ?? createBucket(caller, key)
    named.set(key, existing) // the least recently used one is forgotten first
    return existing
  }

  return async ({ operation, context }, next) => {
    const bucket = bucketOf((context as unknown as CallContext).call.caller) // what middleware is given, behind its public face
    const granted = bucket.take()
    if (isPromise(granted) ? await granted : granted) return next()
    throw new RpcError('overloaded', `${operation}: more than ${perSecond} a second`, {
      data: { retryAfterMs: Math.ceil(bucket.waitMs) },
    })
  }
}

type Bucket = TokenBucket | LeasedBucket

/** The same at every process: a verified caller over all its sessions, a stranger by the session. Empty if neither is known. */
function nameOf({ auth, sessionId = '' }: Caller): string {
  return quotaKeyOf(auth) || sessionId
}

/** Callers that are known by a name are remembered, up to this number. */
const maxNames = 10_000
