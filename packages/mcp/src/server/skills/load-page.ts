import { defaultPageBytes, readCursor, startBehind, writeCursor } from '../lists/pagination.ts'

/** How a page is made of items that are loaded only if the page needs them. */
export interface PageOptions<Item> {
  readonly cursor: string | undefined
  readonly pageSize: number
  /** Undefined leaves the item out. */
  load(key: string): Promise<Item | undefined>
}

/** One page of a list. */
export interface LoadedPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** Loads the items of the page after a cursor. */
export async function loadPage<Item>(
  keys: readonly string[],
  { cursor, pageSize, load }: PageOptions<Item>,
): Promise<LoadedPage<Item>> {
  const places = keys.map((key, index) => ({ order: 0, index, key }))
  const start = cursor === undefined ? 0 : startBehind(readCursor(cursor), places)
  const items: Item[] = []
  let bytes = 0
  for (const [offset, key] of keys.slice(start).entries()) {
    const here = places[start + offset - 1]
    if (items.length === pageSize && here) return { items, nextCursor: writeCursor(here) }
    const item = await load(key)
    if (item === undefined) continue
    bytes += JSON.stringify(item).length
    // An item larger than a page gets its own.
    if (bytes > defaultPageBytes && items.length > 0 && here) {
      return { items, nextCursor: writeCursor(here) }
    }
    items.push(item)
  }
  return { items }
}
