import type { PagedList } from '@parley/mcp/client'

/** A list whose pages are changed as they come. */
export function mapList<Item>(
  list: PagedList<Item>,
  change: (items: readonly Item[]) => readonly Item[],
): PagedList<Item> {
  async function* items(): AsyncGenerator<Item> {
    for await (const item of list) yield* change([item])
  }
  return {
    [Symbol.asyncIterator]: items,
    toArray: async () => [...change(await list.toArray())],
    async page(cursor) {
      const page = await list.page(cursor)
      return { ...page, items: change(page.items) }
    },
  }
}
