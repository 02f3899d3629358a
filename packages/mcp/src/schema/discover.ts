import { serverCapabilities, type ServerCapabilities } from './capabilities.ts'
import * as s from './check.ts'
import { meta, type MetaObject } from './metadata.ts'

/** The answer to `server/discover`: what the server speaks and offers. Who it is stands in `_meta`. */
export interface DiscoverResult {
  /** May name revisions that are spoken by `initialize` only. */
  readonly supportedVersions: readonly string[]
  readonly capabilities: ServerCapabilities
  /** For the model: how to use this server. */
  readonly instructions?: string
  /** How long the answer may be kept. */
  readonly ttlMs?: number
  /** Whether it may be kept for others too. */
  readonly cacheScope?: 'public' | 'private'
  readonly _meta?: MetaObject
}

/** Result of `server/discover`. */
export const discoverResult = s.object<DiscoverResult>({
  supportedVersions: s.array(s.string),
  capabilities: serverCapabilities,
  instructions: s.optional(s.string),
  ttlMs: s.optional(s.integer),
  cacheScope: s.optional(s.oneOf(['public', 'private'])),
  _meta: s.optional(meta),
})
