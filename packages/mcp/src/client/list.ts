/** Read with `for await`; the next page is fetched when it is needed. */
export interface List<Item> extends AsyncIterable<Item> {
  toArray(): Promise<Item[]>
  /** One page by its cursor, for those who show pages. */
  page(cursor?: string): Promise<Page<Item>>
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** A server that never stops giving cursors is cut off here. */
const mostPages = 100_000

export function createList<Item>(fetchPage: (cursor?: string) => Promise<Page<Item>>): List<Item> {
  async function* items(): AsyncGenerator<Item> {
    let cursor: string | undefined
    for (let count = 0; count < mostPages; count += 1) {
      const page = await fetchPage(cursor)
      yield* page.items
      if (page.nextCursor === undefined) return
      // The same cursor again would be the same page for ever.
      if (page.nextCursor === cursor) return
      cursor = page.nextCursor
    }
  }

  return {
    [Symbol.asyncIterator]: items,
    page: fetchPage,
    async toArray() {
      const all: Item[] = []
      for await (const item of items()) all.push(item)
      return all
    },
  }
}
