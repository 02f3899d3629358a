import { PreparedJson } from '../rpc/prepared-json.ts'
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
  /** The result of one page. */
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
  const given = new Map<string, number>() // cursors of ours, so that a walk over all pages looks for nothing

  /** Pages we gave out cursors for are kept; others, asked for after a change, are made anew. */
  function pageAt(start: number): PreparedJson {
    const kept = pages.get(start)
    if (kept !== undefined) return kept
    const page = new PreparedJson(write(start))
    if (starts.includes(start)) pages.set(start, page)
    return page
  }

  function write(start: number): string {
    const end = starts.find((next) => next > start) ?? items.length
    const body = items
      .slice(start, end)
      .map(({ json }) => json)
      .join(',')
    const last = items[end - 1]
    const cursor = end < items.length && last ? writeCursor(last) : undefined
    if (cursor !== undefined && starts.includes(end)) given.set(cursor, end)
    const next = cursor === undefined ? '' : `,"nextCursor":"${cursor}"`
    return `{"${member}":[${body}]${next}${tail === '' ? '' : `,${tail}`}}`
  }

  return {
    page(cursor) {
      if (cursor === undefined) return pageAt(0)
      return pageAt(given.get(cursor) ?? startBehind(readCursor(cursor), items))
    },
  }
}
