import type { OnError } from '../../rpc/errors/error-report.ts'
import { isPromise, type MaybePromise } from '../../rpc/promise.ts'
import type { Clock } from '../../rpc/time/clock.ts'
import { isJsonObject, type JsonObject } from '../../schema/json/json.ts'
import { clientRequests, type ClientRequestRow } from '../../schema/methods/client-requests.ts'
import type { Change } from '../subscriptions/changes.ts'
import {
  createMemoryCache,
  type CacheEntry,
  type CacheKey,
  type ClientCache,
} from './memory-cache.ts'

/** What one client keeps of its server's answers. A cache that fails is a cache that has nothing. */
export interface KeptAnswers {
  /** The answer at hand, if it is still good. */
  find(operation: string, params: object): Promise<JsonObject | undefined>
  /** To be called when a request goes out; what comes back is kept through it. */
  begin(operation: string, params: object): (result: JsonObject) => void
  /** The server, or the lack of news from it, says that something is no longer true. */
  invalidate(change: Change): void
  /** One list, all pages of it. */
  forget(operation: string): void
}

export interface KeptAnswersOptions {
  readonly cache: ClientCache | undefined
  /** What the server goes by in the cache. */
  readonly server: string
  /** Whose private answers these are. */
  readonly partition: string
  readonly clock: Clock
  readonly onError: OnError
}

/** Keeps answers in the cache given, or in one of its own. */
export function createKeptAnswers(options: KeptAnswersOptions): KeptAnswers {
  const { server, partition, clock } = options
  const startedAt = Date.now() - clock.now()
  const cache = options.cache ?? createMemoryCache({ now })
  let generation = 0

  /** Time since the epoch that passes as the client's clock does. */
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
      const asked = generation
      return (result) => {
        const { ttlMs, cacheScope } = result
        // What changed meanwhile may not be in an answer that was on its way.
        if (asked !== generation) return
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
