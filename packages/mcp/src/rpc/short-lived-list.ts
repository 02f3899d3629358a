/** What can be in one list at a time. */
export interface Listed {
  /** Where it is there; the list's own. */
  place: number
}

/**
 * A list of what comes and goes, as requests do, in no order. Not a `Set`, for the reason that `ShortLivedMap` gives, and
 * because it is cheaper.
 */
export class ShortLivedList<Item extends Listed> implements Iterable<Item> {
  private readonly items: Item[] = []

  get size(): number {
    return this.items.length
  }

  add(item: Item): void {
    item.place = this.items.length
    this.items.push(item)
  }

  /** The last one takes its place. */
  delete(item: Item): boolean {
    const { items } = this
    const last = items.at(-1)
    if (last === undefined || items[item.place] !== item) return false
    items.pop()
    if (last === item) return true
    items[item.place] = last
    last.place = item.place
    return true
  }

  /** Those that are there now, whatever comes and goes meanwhile. */
  [Symbol.iterator](): IterableIterator<Item> {
    return [...this.items].values()
  }
}
