import { PreparedJson } from '../../rpc/json/prepared-json.ts'
import {
  cutPages,
  readCursor,
  startBehind,
  writeCursor,
  type PageLimits,
  type Position,
} from './pagination.ts'

/** A list as JSON, made once and cut into pages: answering is joining it with an id. */
export interface PreparedList {
  /** The result of one page. Throws `invalid_params` for a cursor that was not written here. */
  page(cursor: string | undefined): PreparedJson
}

export interface PreparedItem extends Position {
  readonly json: string
}

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
  const pages = new Map<number, PreparedJson>()
  const startOf = new Map<string, number>() // by cursors of ours, so that a walk over all pages searches for nothing

  /** Pages we gave out cursors for are kept; others, requested after a change, are made anew. */
  function pageAt(start: number): PreparedJson {
    const kept = pages.get(start)
    if (kept !== undefined) return kept
    const end = starts.find((next) => next > start) ?? items.length
    const last = items[end - 1]
    const cursor = end < items.length && last ? writeCursor(last) : undefined
    if (cursor !== undefined && starts.includes(end)) startOf.set(cursor, end)
    const page = new PreparedJson(write(start, end, cursor))
    if (starts.includes(start)) pages.set(start, page)
    return page
  }

  function write(start: number, end: number, cursor: string | undefined): string {
    const body = items
      .slice(start, end)
      .map(({ json }) => json)
      .join(',')
    const next = cursor === undefined ? '' : `,"nextCursor":"${cursor}"`
    return `{"${member}":[${body}]${next}${tail === '' ? '' : `,${tail}`}}`
  }

  return {
    page(cursor) {
      if (cursor === undefined) return pageAt(0)
      return pageAt(startOf.get(cursor) ?? startBehind(readCursor(cursor), items))
    },
  }
}
