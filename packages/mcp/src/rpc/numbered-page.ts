import { RpcError } from './errors/rpc-error.ts'

const pageSize = 50

/** An item of a list in order of arrival, with a number greater than that of the item before. */
export interface Numbered {
  readonly number: number
}

/** The first that came after a cursor, and where the next begin. Throws `invalid_params` for a cursor that is none. */
export function pageAfter<Item extends Numbered>(
  all: Iterable<Item>,
  cursor: string | undefined,
): { readonly items: readonly Item[]; readonly cursor?: string } {
  const after = cursor === undefined ? 0 : readCursor(cursor)
  const rest = [...all].filter(({ number }) => number > after)
  const items = rest.slice(0, pageSize)
  const last = items.at(-1)
  return rest.length > items.length && last ? { items, cursor: `after-${last.number}` } : { items }
}

function readCursor(cursor: string): number {
  const [, digits] = /^after-(\d{1,15})$/.exec(cursor) ?? []
  if (digits !== undefined) return Number(digits)
  throw invalidCursor()
}

export function invalidCursor(): RpcError<'invalid_params'> {
  return new RpcError('invalid_params', 'invalid cursor: list again without one')
}
