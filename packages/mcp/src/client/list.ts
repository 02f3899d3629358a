import { isRpcError } from '../rpc/errors/rpc-error.ts'
import { defaultLimits } from '../rpc/limits.ts'
import { listGuardPart } from './lazy-parts.ts'
import type { ListLimits } from './list-guard.ts'

/** Read with `for await`; the next page is fetched when it is needed. */
export interface PagedList<Item> extends AsyncIterable<Item> {
  /** Fetches all pages and resolves to all items. */
  toArray(): Promise<Item[]>
  /** One page by its cursor, for those who show pages. */
  page(cursor?: string): Promise<ListPage<Item>>
}

/** One page of a list, as the server cut it. */
export interface ListPage<Item> {
  /** The items of this page, in the server's order. */
  readonly items: readonly Item[]
  /** What to pass to `page()` for the next page; absent on the last one. */
  readonly nextCursor?: string
}

export interface ListOptions {
  /** Whether a page may be older than the one it leads to, so that its cursor may be void. */
  readonly mayRestart?: (() => boolean) | undefined
  readonly limits?: ListLimits | undefined
}

export function createList<Item>(
  fetchPage: (cursor?: string) => Promise<ListPage<Item>>,
  { mayRestart, limits = defaultLimits }: ListOptions = {},
): PagedList<Item> {
  async function* items(): AsyncGenerator<Item> {
    let cursor: string | undefined
    let guard: ((page: ListPage<Item>) => void) | undefined
    do {
      const page = await fetchPage(cursor)
      cursor = page.nextCursor
      if (cursor !== undefined) guard ??= (await listGuardPart.load()).createListGuard(limits)
      guard?.(page)
      yield* page.items
    } while (cursor !== undefined)
  }

  return {
    [Symbol.asyncIterator]: items,
    page: fetchPage,
    async toArray() {
      const all: Item[] = []
      try {
        for await (const item of items()) all.push(item)
        return all
      } catch (error) {
        if (all.length === 0 || !isRpcError(error, 'invalid_params') || !mayRestart?.()) throw error
        return collect(items())
      }
    },
  }
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
