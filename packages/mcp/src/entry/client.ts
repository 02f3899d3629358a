export { connect } from '../transport/connect.ts'
export { createMemoryCache } from '../client/cache.ts'
export { toolOutput } from '../client/tools.ts'
export type { CacheEntry, CacheKey, ClientCache, MemoryCacheOptions } from '../client/cache.ts'
export type { Change, Subscription } from '../client/changes.ts'
export type { Client } from '../client/client.ts'
export type { ClientAuth } from '../client/client-auth.ts'
export type { ClientExtension } from '../client/extension-hooks.ts'
export type { List, Page } from '../client/list.ts'
export type { ClientMiddleware } from '../client/middleware.ts'
export type {
  CallOptions,
  ConnectOptions,
  Negotiated,
  ReconnectOptions,
  Status,
  Timeouts,
  ToolCallOptions,
} from '../client/options.ts'
export type {
  AskedBy,
  ElicitHandler,
  ElicitMode,
  SampleHandler,
  SamplingOptions,
} from '../client/question-handlers.ts'
export type { RootsOption } from '../client/asking/roots.ts'
export type { CommandEntry, ServerEntry, UrlEntry } from '../client/server-entry.ts'
export type { ServerDescription } from '../client/session.ts'
export type { HeartbeatOptions } from '../session/heartbeat.ts'
export type { ToolCallResult } from '../client/tools.ts'
export type { WatchedLists, WatchOptions } from '../client/listening/watch.ts'
