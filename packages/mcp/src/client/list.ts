import { McpError } from '../rpc/errors/mcp-error.ts'
import { isRpcError } from '../rpc/errors/rpc-error.ts'
import { defaultLimits, type ResolvedLimits } from '../rpc/limits.ts'

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
  /** The cursor to pass to `page()` for the next page; absent on the last one. */
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
      if (cursor !== undefined) guard ??= createListGuard(limits)
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

/** The limits of a whole list, however it is split into pages. */
export type ListLimits = Pick<ResolvedLimits, 'listPages' | 'listItems' | 'listBytes'>

/** Looks at every page of a list that has several, and throws where a server would never stop giving them. */
function createListGuard(limits: ListLimits): (page: ListPage<unknown>) => void {
  const seen = { listPages: 0, listItems: 0, listBytes: 0 }
  const cursors = new Set<string>()

  return ({ items, nextCursor }) => {
    seen.listPages += 1
    seen.listItems += items.length
    // The first is bounded as any message is; to measure it would cost every list of two pages.
    if (seen.listPages > 1) seen.listBytes += JSON.stringify(items).length
    for (const limit of ['listPages', 'listItems', 'listBytes'] as const) {
      if (seen[limit] > limits[limit]) throw tooLong(limit, limits[limit])
    }
    if (nextCursor === undefined) return
    if (cursors.has(nextCursor)) throw repeated(nextCursor)
    cursors.add(nextCursor)
  }
}

function tooLong(limit: keyof ListLimits, allowed: number): McpError {
  const what = { listPages: 'pages', listItems: 'items', listBytes: 'bytes' }[limit]
  return new McpError('limit_exceeded', `a list has more than ${allowed} ${what}`, {
    details: { limit, allowed },
    hint: `Raise limits.${limit} if such lists are expected, or read single pages with page().`,
  })
}

/** The same cursor again would be the same pages for ever. */
function repeated(cursor: string): McpError {
  const excerpt = `the server gave the cursor ${JSON.stringify(cursor.slice(0, 80))} twice`
  return new McpError('invalid_message', `a list does not end: ${excerpt}`, {
    details: { excerpt },
  })
}
