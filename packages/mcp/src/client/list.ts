import { McpError } from '../rpc/mcp-error.ts'
import { isRpcError } from '../rpc/rpc-error.ts'

/** Read with `for await`; the next page is fetched when it is needed. */
export interface List<Item> extends AsyncIterable<Item> {
  toArray(): Promise<Item[]>
  /** One page by its cursor, for those who show pages. */
  page(cursor?: string): Promise<Page<Item>>
}

/** One page of a list, as the server cut it. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** A server that never stops giving cursors is cut off here. */
const mostPages = 100_000

export interface ListOptions {
  /** Whether a page may be older than the one it leads to, so that its cursor may be void. */
  readonly mayBeginAnew: () => boolean
}

export function createList<Item>(
  fetchPage: (cursor?: string) => Promise<Page<Item>>,
  { mayBeginAnew }: ListOptions = { mayBeginAnew: () => false },
): List<Item> {
  async function* items(): AsyncGenerator<Item> {
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await fetchPage(cursor)
      yield* page.items
      cursor = page.nextCursor
      // The same cursor again would be the same pages for ever.
      if (cursor === undefined || seen.has(cursor)) return
      seen.add(cursor)
    } while (seen.size < mostPages)
    throw new McpError('limit_exceeded', `a list does not end after ${mostPages} pages`, {
      details: { limit: 'pages', allowed: mostPages },
    })
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
        if (all.length === 0 || !isRpcError(error, 'invalid_params') || !mayBeginAnew()) throw error
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
