import type { Clock } from '../../rpc/clock.ts'
import type { OnError } from '../../rpc/errors/on-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { clientRequestRow } from '../../schema/methods/client-requests.ts'
import type { ConnectOptions } from '../options.ts'
import type { ServerChange } from '../subscriptions/changes.ts'
import type { ToolDefinitions } from '../tools/tools.ts'
import { createResponseCache, type ResponseCache } from './response-cache.ts'

/** Which answers one client caches, and everything that makes them stale. */
export interface CacheControl {
  /** Whether answers to it may be cached at all. */
  mayCache(operation: string): boolean
  /** The cache, created when the first answer may be cached. */
  responses(): ResponseCache
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
  let created: ResponseCache | undefined

  function responses(): ResponseCache {
    const options = { cache: cache || undefined, server, partition, clock, onError }
    return (created ??= createResponseCache(options))
  }

  return {
    mayCache: (operation) =>
      cache !== false && clientRequestRow(operation).staleAfter !== undefined,
    responses,
    onChange(change) {
      if (change.type === 'tools' || change.type === 'gap') toolDefinitions.forget()
      // A cache of our own is still empty if it is not there, a shared one may not be.
      if (created || cache) responses().invalidate(change)
    },
    onFailure(operation, params, error) {
      if (params !== undefined && 'cursor' in params && isRpcError(error, 'invalid_params')) {
        created?.forget(operation)
      }
    },
  }
}
