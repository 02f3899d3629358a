import { RpcError } from '../rpc/rpc-error.ts'

/** Where an item stands: the order of what brought it into the list, and its place among all that came with it. */
export interface Place {
  readonly order: number
  readonly index: number
}

/** Where a page begins: behind the item with this key, which stood here. */
export interface Position extends Place {
  readonly key: string
}

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

/**
 * The index a list continues at. It holds while items come and go: the item it stands behind is looked for first, and
 * the place where it stood counts only if that item has gone.
 */
export function startBehind(position: Position, items: readonly Position[]): number {
  const found = items.findIndex(({ key }) => key === position.key)
  if (found !== -1) return found + 1
  const next = items.findIndex(
    ({ order, index }) =>
      order > position.order || (order === position.order && index >= position.index),
  )
  return next === -1 ? items.length : next
}

/** The cursor of what follows an item. */
export function writeCursor({ order, index, key }: Position): string {
  return toBase64Url(JSON.stringify([order, index, key]))
}

/** Throws `invalid_params` for what was not written here. */
export function readCursor(cursor: string): Position {
  try {
    const value: unknown = JSON.parse(fromBase64Url(cursor))
    if (Array.isArray(value) && value.length === 3) {
      const [order, index, key] = value as unknown[]
      if (isPlace(order) && isPlace(index) && typeof key === 'string') return { order, index, key }
    }
  } catch {
    // Whatever it is, we did not write it.
  }
  throw new RpcError('invalid_params', 'this cursor was not given out here: list anew without one')
}

function isPlace(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 // isSafeInteger does not narrow
}

function toBase64Url(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromBase64Url(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
  )
}
