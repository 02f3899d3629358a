import * as s from './check.ts'
import { type MetaObject, optionalMeta } from './metadata.ts'
import { type RequestMeta, optionalRequestMeta } from './progress.ts'

/** Params of a request for one page of a list. */
export interface PageParams {
  /** Where to go on: the `nextCursor` of the page before. Means nothing to the client. */
  readonly cursor?: string
  readonly _meta?: RequestMeta
}

/** The fields of every page besides its items. */
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
  _meta: optionalRequestMeta,
})

/** How long a result may be kept, and for whom. */
export const cacheShape: s.Shape<Pick<Page, 'ttlMs' | 'cacheScope'>> = {
  ttlMs: s.optional(s.integer),
  cacheScope: s.optional(s.oneOf(['public', 'private'])),
}

/** The fields of a page besides its items. */
export const pageShape: s.Shape<Page> = /* @__PURE__ */ s.fields(cacheShape, {
  nextCursor: s.optional(s.string),
  _meta: optionalMeta,
})
