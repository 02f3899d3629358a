import { RpcError } from '../../rpc/errors/rpc-error.ts'
import { scanJson } from '../../rpc/json/scan-json.ts'

/** Where an item stands: the order of what brought it into the list, and its place among all that came with it. */
export interface Place {
  readonly order: number
  readonly index: number
}

/** Where a page begins: behind the item with this key, which stood here. */
export interface Position extends Place {
  readonly key: string
}

/**
 * The index a list continues at. It holds while items come and go: the item it stands behind is looked for first, where
 * it stood and then anywhere, and the place alone counts only if that item has gone.
 */
export function startBehind(position: Position, items: readonly Position[]): number {
  const same = items.filter(({ key }) => key === position.key)
  const found =
    same.find((item) => !isBefore(item, position) && !isBefore(position, item)) ?? same[0]
  if (found !== undefined) return items.indexOf(found) + 1
  const next = items.findIndex((item) => !isBefore(item, position))
  return next === -1 ? items.length : next
}

export function isBefore(item: Place, { order, index }: Place): boolean {
  return item.order < order || (item.order === order && item.index < index)
}

/** The cursor of what follows an item. */
export function writeCursor({ order, index, key }: Position): string {
  return toBase64Url(JSON.stringify([order, index, key]))
}

/** Throws `invalid_params` for what was not written here. */
export function readCursor(cursor: string): Position {
  try {
    const text = fromBase64Url(cursor)
    const value: unknown = scanJson(text, ownCursor) === undefined ? JSON.parse(text) : undefined
    if (Array.isArray(value) && value.length === 3) {
      const [order, index, key] = value as unknown[]
      if (isPlace(order) && isPlace(index) && typeof key === 'string') return { order, index, key }
    }
  } catch {
    // Whatever it is, we did not write it.
  }
  throw new RpcError('invalid_params', 'this cursor was not given out here: list anew without one')
}

/** Nothing else is worth parsing. */
const ownCursor = { depth: 1, members: 3 }

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 // isSafeInteger does not narrow
}

function toBase64Url(text: string): string {
  // One by one: what is spread into arguments must fit on the stack.
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte))
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
  )
}

/** Where pages end. */
export interface PageLimits {
  readonly pageSize: number
  readonly pageBytes: number
}

/** A page is also cut here, so that one answer stays readable for everyone. */
export const defaultPageBytes = 1024 * 1024

/** Cuts a list into pages by number and by size; an item larger than a page has one to itself. */
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
