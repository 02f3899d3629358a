import { RpcError } from '../rpc/rpc-error.ts'

/** Where a page begins: behind the item with this key, which was at this place. */
interface Position {
  readonly offset: number
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
 * The index a cursor continues at. It holds while items come and go: the item it stands behind is looked for first,
 * and its old place counts only if that item has gone.
 */
export function readCursor(
  cursor: string,
  keyAt: (index: number) => string | undefined,
  indexOf: (key: string) => number,
): number {
  const { offset, key } = decodeCursor(cursor)
  if (keyAt(offset - 1) === key) return offset
  const index = indexOf(key)
  return index === -1 ? offset - 1 : index + 1
}

/** The cursor of what follows the item at `offset - 1`. */
export function writeCursor(offset: number, key: string): string {
  return toBase64Url(JSON.stringify([offset, key]))
}

function decodeCursor(cursor: string): Position {
  try {
    const value: unknown = JSON.parse(fromBase64Url(cursor))
    if (Array.isArray(value) && value.length === 2) {
      const [offset, key] = value as [unknown, unknown] // length was checked
      if (Number.isSafeInteger(offset) && typeof key === 'string' && (offset as number) > 0) {
        return { offset: offset as number, key } // isSafeInteger does not narrow
      }
    }
  } catch {
    // Whatever it is, we did not write it.
  }
  throw new RpcError('invalid_params', 'this cursor was not given out here: list anew without one')
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
