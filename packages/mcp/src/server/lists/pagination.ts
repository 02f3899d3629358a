/**
 * Pages of lists: cursors, where a page begins and ends, and pages that are written as JSON once.
 *
 * A cursor names the position behind the last item, so it stays valid when items come and go. `prepareList` keeps the JSON of lists
 * that are the same for every caller; `caller-lists.ts` makes pages for one caller. Pages end at `pageSize` items or at 1 MiB.
 */
import { scanJson } from '../../rpc/json/json-limits.ts'
import { PreparedJson } from '../../rpc/json/json-text.ts'
import { invalidCursor } from '../../rpc/numbered-page.ts'

/** The place of an item in a list: the order of its slot, and its index among the items of that slot. */
export interface SchemaLocation {
  readonly order: number
  readonly index: number
}

/** Where a page begins: after the item with this key, which was at this place. */
export interface Position extends SchemaLocation {
  readonly key: string
}

/**
 * The index a list continues at, also after items have come and gone. The item before it is searched by its key, first at
 * its old place, then anywhere; only if it has gone does the place decide.
 */
export function startBehind(position: Position, items: readonly Position[]): number {
  const same = items.filter(({ key }) => key === position.key)
  const found =
    same.find((item) => !isBefore(item, position) && !isBefore(position, item)) ?? same[0]
  if (found !== undefined) return items.indexOf(found) + 1
  const next = items.findIndex((item) => !isBefore(item, position))
  return next === -1 ? items.length : next
}

export function isBefore(item: SchemaLocation, { order, index }: SchemaLocation): boolean {
  return item.order < order || (item.order === order && item.index < index)
}

/** The cursor for the page after an item. */
export function writeCursor({ order, index, key }: Position): string {
  return toBase64Url(JSON.stringify([order, index, key]))
}

/** Throws `invalid_params` for a cursor that was not written here. */
export function readCursor(cursor: string): Position {
  try {
    const text = fromBase64Url(cursor)
    const value: unknown = scanJson(text, ownCursor) === undefined ? JSON.parse(text) : undefined
    if (Array.isArray(value) && value.length === 3) {
      const [order, index, key] = value as unknown[]
      if (isPosition(order) && isPosition(index) && typeof key === 'string')
        return { order, index, key }
    }
  } catch {
    // Not written by us.
  }
  throw invalidCursor()
}

/** Limits for parsing: our cursors are an array of three. */
const ownCursor = { depth: 1, members: 3 }

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 // isSafeInteger does not narrow
}

function toBase64Url(text: string): string {
  // One by one: arguments that are spread must fit on the stack.
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte))
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
  )
}

/** How large a page may be. */
interface PageLimits {
  readonly pageSize: number
  readonly pageBytes: number
}

/** A page is also cut at this size, so that every client can read it. */
export const defaultPageBytes = 1024 * 1024

/** Cuts a list into pages by count and by size; returns where each starts. An item larger than a page gets its own. */
export function cutPages(sizes: readonly number[], { pageSize, pageBytes }: PageLimits): number[] {
  const starts = [0]
  let count = 0
  let bytes = 0
  sizes.forEach((size, index) => {
    if (count > 0 && (count === pageSize || bytes + size > pageBytes)) {
      starts.push(index)
      count = 0
      bytes = 0
    }
    count += 1
    bytes += size
  })
  return starts
}

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
    const cached = pages.get(start)
    if (cached !== undefined) return cached
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
