import * as s from './check.ts'
import { meta, type MetaObject } from './metadata.ts'
import { requestMeta, type RequestMeta } from './progress.ts'

/** What a request for one page of a list says. */
export interface PageParams {
  /** Where to go on: the `nextCursor` of the page before. Means nothing to the client. */
  readonly cursor?: string
  readonly _meta?: RequestMeta
}

/** What every page of a list says besides its items. */
export interface Page {
  /** Absent on the last page. */
  readonly nextCursor?: string
  /** How long the page may be kept. */
  readonly ttlMs?: number
  /** Whether the page may be kept for others too. */
  readonly cacheScope?: 'public' | 'private'
  readonly _meta?: MetaObject
}

/** One page of a list. */
export type Listed<Key extends string, Item> = { readonly [K in Key]: readonly Item[] } & Page

/** Params of every `…/list` request. */
export const listParams = s.object<PageParams>({
  cursor: s.optional(s.string),
  _meta: s.optional(requestMeta),
})

/** The fields of a page besides its items. */
export const pageShape: s.Shape<Page> = {
  nextCursor: s.optional(s.string),
  ttlMs: s.optional(s.integer),
  cacheScope: s.optional(s.oneOf(['public', 'private'])),
  _meta: s.optional(meta),
}
