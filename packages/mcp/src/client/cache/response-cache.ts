import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { clientRequests, type ClientRequestRow } from '../../schema/methods/client-requests.ts'
import type { ServerChange } from '../subscriptions/changes.ts'
import {
  createMemoryClientCache,
  type CacheEntry,
  type CacheKey,
  type ClientCache,
} from './memory-cache.ts'

/** The cached answers of one client's server. A cache that fails counts as empty. */
export interface ResponseCache {
  /** The cached answer, if it has not expired. */
  find(operation: string, params: object): Promise<JsonObject | undefined>
  /** Call this when a request is sent, and the returned function with its result. */
  begin(operation: string, params: object): (result: JsonObject) => void
  /** Drops what a change makes stale: see `staleAfter` in `schema/methods`. */
  invalidate(change: ServerChange): void
  /** Drops one list, all pages of it. */
  forget(operation: string): void
}

export interface ResponseCacheOptions {
  readonly cache: ClientCache | undefined
  /** The name of the server in the cache. */
  readonly server: string
  /** The owner of private answers. */
  readonly partition: string
  readonly clock: Clock
  readonly onError: OnError
}

/** Uses the cache given, or one of its own in memory. */
export function createResponseCache(options: ResponseCacheOptions): ResponseCache {
  const { server, partition, clock } = options
  const startedAt = Date.now() - clock.now()
  const cache = options.cache ?? createMemoryClientCache({ now })
  let generation = 0

  /** Time since the epoch, by the client's clock. */
  function now(): number {
    return startedAt + clock.now()
  }

  async function read(key: CacheKey): Promise<JsonObject | undefined> {
    try {
      const found = cache.get(key)
      const entry = isPromise(found) ? await found : found
      return entry !== undefined && isFresh(entry) ? entry.result : undefined
    } catch (error) {
      report(error)
      return undefined
    }
  }

  async function findEither(operation: string, params: string): Promise<JsonObject | undefined> {
    const key = { server, operation, params }
    return (await read({ ...key, partition })) ?? (await read({ ...key, partition: '' }))
  }

  function isFresh({ expiresAt, result }: CacheEntry): boolean {
    return expiresAt > now() && isJsonObject(result)
  }

  function attempt(work: () => MaybePromise<void>): void {
    try {
      const done = work()
      if (isPromise(done)) done.catch(report)
    } catch (error) {
      report(error)
    }
  }

  function report(error: unknown): void {
    options.onError(error, { severity: 'warning', operation: 'cache' })
  }

  function remove(match: Partial<CacheKey>): void {
    attempt(() => cache.delete({ server, ...match }))
  }

  return {
    find: (operation, params) => findEither(operation, keyOf(params)),

    begin(operation, params) {
      const requested = generation
      return (result) => {
        const { ttlMs, cacheScope } = result
        // The answer was on its way while something changed: it may be stale already.
        if (requested !== generation) return
        if (typeof ttlMs !== 'number' || !(ttlMs > 0)) return
        const scope = cacheScope === 'public' ? '' : partition
        const key = { server, partition: scope, operation, params: keyOf(params) }
        attempt(() => cache.set(key, { result, expiresAt: now() + ttlMs }))
      }
    },

    invalidate(change) {
      generation += 1
      if (change.type === 'gap') return remove({})
      const params = change.type === 'resource' && { params: keyOf({ uri: change.uri }) }
      for (const [operation, row] of Object.entries<ClientRequestRow>(clientRequests)) {
        if (row.staleAfter === change.type) remove({ operation, ...params })
      }
    },

    forget(operation) {
      generation += 1
      remove({ operation })
    },
  }
}

/** The same params are the same text, in whatever order they were written. */
function keyOf(params: object): string {
  return JSON.stringify(params, (_, value: unknown) =>
    isJsonObject(value) ? sorted(value) : value,
  )
}

function sorted(value: JsonObject): JsonObject {
  const names = Object.keys(value)
  names.sort()
  return Object.fromEntries(names.map((name) => [name, value[name]]))
}
