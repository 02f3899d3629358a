import type { MetaObject } from './metadata.ts'
import type { RequestMeta } from './progress.ts'

/** What a request for one page of a list says. */
export interface PageParams {
  /** Where to go on: the `nextCursor` of the page before. Means nothing to the client. */
  readonly cursor?: string
  readonly _meta?: RequestMeta
}

/** One page of a list. */
export type Listed<Key extends string, Item> = { readonly [K in Key]: readonly Item[] } & {
  /** Absent on the last page. */
  readonly nextCursor?: string
  /** How long the page may be kept. */
  readonly ttlMs?: number
  /** Whether the page may be kept for others too. */
  readonly cacheScope?: 'public' | 'private'
  readonly _meta?: MetaObject
}
