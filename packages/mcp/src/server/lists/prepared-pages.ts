import { PreparedJson } from '../../rpc/json/prepared-json.ts'
import { readCursor, startBehind, writeCursor, type Position } from './pagination.ts'

/** The pages of a list that does not fit on one, by where each starts; `write` gives the JSON of some of its items. */
export function preparePages(
  items: readonly Position[],
  starts: readonly number[],
  write: (start: number, end: number, cursor: string | undefined) => string,
): (cursor: string | undefined) => PreparedJson {
  const pages = new Map<number, PreparedJson>()
  const given = new Map<string, number>() // cursors of ours, so that a walk over all pages looks for nothing

  /** Pages we gave out cursors for are kept; others, asked for after a change, are made anew. */
  function pageAt(start: number): PreparedJson {
    const kept = pages.get(start)
    if (kept !== undefined) return kept
    const end = starts.find((next) => next > start) ?? items.length
    const last = items[end - 1]
    const cursor = end < items.length && last ? writeCursor(last) : undefined
    if (cursor !== undefined && starts.includes(end)) given.set(cursor, end)
    const page = new PreparedJson(write(start, end, cursor))
    if (starts.includes(start)) pages.set(start, page)
    return page
  }

  return (cursor) => {
    if (cursor === undefined) return pageAt(0)
    return pageAt(given.get(cursor) ?? startBehind(readCursor(cursor), items))
  }
}
