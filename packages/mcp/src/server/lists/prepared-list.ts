import { PreparedJson } from '../../rpc/json/prepared-json.ts'
import { later } from '../../rpc/later.ts'
import type { MaybePromise } from '../../rpc/promise.ts'
import { cutPages, type PageLimits } from './cut-pages.ts'
import type { Position } from './pagination.ts'
import type { preparePages } from './prepared-pages.ts'

/** A list as JSON, made once and cut into pages: answering is joining it with an id. */
export interface PreparedList {
  /** The result of one page. At once if there is only one, and as soon as it is known how to turn them. */
  page(cursor: string | undefined): MaybePromise<PreparedJson>
}

export interface PreparedItem extends Position {
  readonly json: string
}

/** Most lists fit on one page, and nobody has a cursor. */
const pagesPart = later(() => import('./prepared-pages.ts'))

/** `rest` is what every page says besides its items. */
export function prepareList(
  member: string,
  items: readonly PreparedItem[],
  limits: PageLimits,
  rest: object = {},
): PreparedList {
  const tail = JSON.stringify(rest).slice(1, -1)
  const starts = cutPages(
    items.map(({ json }) => json.length),
    limits,
  )
  let whole: PreparedJson | undefined
  let pages: ReturnType<typeof preparePages> | undefined

  function write(start: number, end: number, cursor: string | undefined): string {
    const body = items
      .slice(start, end)
      .map(({ json }) => json)
      .join(',')
    const next = cursor === undefined ? '' : `,"nextCursor":"${cursor}"`
    return `{"${member}":[${body}]${next}${tail === '' ? '' : `,${tail}`}}`
  }

  function pageOf(part: Pages, cursor: string | undefined): PreparedJson {
    pages ??= part.preparePages(items, starts, write)
    return pages(cursor)
  }

  return {
    page(cursor) {
      if (cursor === undefined && starts.length === 1) {
        return (whole ??= new PreparedJson(write(0, items.length, undefined)))
      }
      const { loaded } = pagesPart
      return loaded ? pageOf(loaded, cursor) : pagesPart.load().then((part) => pageOf(part, cursor))
    },
  }
}

type Pages = NonNullable<typeof pagesPart.loaded>
