/**
 * A map of what comes and goes, as requests do. V8 gives a `Map` a new table every few dozen removals and leaves the old
 * one pointing to it, with all that was in it then. Once one such table has grown old, each keeps the next from being
 * collected cheaply, and so every request that has long been answered. Here tables hold boxes, which are emptied.
 */
export class ShortLivedMap<Key, Value> {
  private readonly boxes = new Map<Key, Box<Value>>()

  get size(): number {
    return this.boxes.size
  }

  has(key: Key): boolean {
    return this.boxes.has(key)
  }

  get(key: Key): Value | undefined {
    return this.boxes.get(key)?.value
  }

  /** What was there before goes; the new one is the last. */
  set(key: Key, value: Value): void {
    this.take(key)
    this.add(key, value)
  }

  /** The key must be new. */
  add(key: Key, value: Value): void {
    this.boxes.set(key, { value })
  }

  /** Removes the items and returns them. */
  take(key: Key): Value | undefined {
    const box = this.boxes.get(key)
    if (box === undefined) return undefined
    this.boxes.delete(key)
    const { value } = box
    box.value = undefined
    return value
  }

  *values(): Generator<Value> {
    for (const { value } of this.boxes.values()) if (value !== undefined) yield value
  }
}

interface Box<Value> {
  value: Value | undefined
}

/** What can be in one list at a time. */
export interface Listed {
  /** Where it is there; the list's own. */
  index: number
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
    item.index = this.items.length
    this.items.push(item)
  }

  /** The last one takes its place. */
  delete(item: Item): boolean {
    const { items } = this
    const last = items.at(-1)
    if (last === undefined || items[item.index] !== item) return false
    items.pop()
    if (last === item) return true
    items[item.index] = last
    last.index = item.index
    return true
  }

  /** Those that are there now, whatever comes and goes meanwhile. */
  [Symbol.iterator](): IterableIterator<Item> {
    return [...this.items].values()
  }
}
