export { connect } from '../transport/connect.ts'
export { createMemoryClientCache } from '../client/cache/memory-cache.ts'
export { toolOutput } from '../client/tools/tools.ts'
export type {
  CacheEntry,
  CacheKey,
  ClientCache,
  MemoryClientCacheOptions,
} from '../client/cache/memory-cache.ts'
export type { ServerChange, Subscription } from '../client/subscriptions/changes.ts'
export type { Client } from '../client/client.ts'
export type { ClientAuth } from '../client/client-auth.ts'
export type { ClientExtension } from '../client/extension.ts'
export type { PagedList, ListPage } from '../client/list.ts'
export type { ClientMiddleware } from '../client/calls/middleware.ts'
export type {
  CallOptions,
  ConnectOptions,
  Negotiated,
  ReconnectOptions,
  ClientStatus,
  ClientTimeouts,
  ValidationOptions,
  ToolCallOptions,
} from '../client/options.ts'
export type {
  InputContext,
  ElicitHandler,
  ElicitMode,
  SampleHandler,
  SamplingOptions,
} from '../client/input/input-handlers.ts'
export type { RootsOption } from '../client/input/roots.ts'
export type { CommandEntry, ServerEntry, UrlEntry } from '../client/server-entry.ts'
export type { ServerDescription } from '../client/connection/session.ts'
export type { HeartbeatOptions } from '../rpc/heartbeat.ts'
export type { ToolCallResult } from '../client/tools/tools.ts'
export type { WatchedLists, WatchOptions } from '../client/subscriptions/watch-list.ts'
