import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { lazy } from '../../rpc/promise.ts'
import { clientRequestRow } from '../../schema/methods/client-requests.ts'
import { cachePart } from '../lazy-parts.ts'
import type { ConnectOptions } from '../options.ts'
import type { ServerChange } from '../subscriptions/changes.ts'
import type { ToolDefinitions } from '../tools/tools.ts'
import type { ResponseCache } from './response-cache.ts'

/** Which answers one client caches, and everything that makes them stale. */
export interface CacheControl {
  /** Whether answers to it may be cached at all. */
  mayCache(operation: string): boolean
  /** The cache, created when the first answer may be cached. */
  load(): Promise<ResponseCache>
  /** The server announced a change, or its announcements may have been missed. */
  onChange(change: ServerChange): void
  /** A request failed. A cursor the server refuses means that the pages before it are stale. */
  onFailure(operation: string, params: object | undefined, error: unknown): void
}

/** Private answers are cached for `auth.partition` where one is named, else for this client alone. */
export function createCacheControl(
  { cache, auth }: ConnectOptions,
  cacheName: string | undefined,
  toolDefinitions: ToolDefinitions,
  clock: Clock,
  onError: OnError,
): CacheControl {
  const own = crypto.getRandomValues(new Uint32Array(4)).join('-')
  const server = cacheName ?? own
  const partition = auth?.partition || own
  const responses = lazy(async () => {
    const { createResponseCache } = await cachePart.load()
    return createResponseCache({ cache: cache || undefined, server, partition, clock, onError })
  })

  return {
    mayCache: (operation) =>
      cache !== false && clientRequestRow(operation).staleAfter !== undefined,
    load: responses.load,
    onChange(change) {
      if (change.type === 'tools' || change.type === 'gap') toolDefinitions.forget()
      if (responses.loaded) return responses.loaded.invalidate(change)
      // A cache of our own is still empty, a shared one may not be.
      if (cache) responses.load().then((loaded) => loaded.invalidate(change), report)
    },
    onFailure(operation, params, error) {
      if (params !== undefined && 'cursor' in params && isRpcError(error, 'invalid_params')) {
        responses.loaded?.forget(operation)
      }
    },
  }

  function report(error: unknown): void {
    onError(error, { severity: 'warning', operation: 'cache' })
  }
}
