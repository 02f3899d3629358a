import { serverCapabilities, type ServerCapabilities } from './capabilities.ts'
import * as s from './check.ts'
import { type MetaObject, optionalMeta } from './metadata.ts'
import { cacheShape } from './pagination.ts'

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
export const discoverResult = s.object<DiscoverResult>(
  s.fields(cacheShape, {
    supportedVersions: s.array(s.string),
    capabilities: serverCapabilities,
    instructions: s.optional(s.string),
    _meta: optionalMeta,
  }),
)
