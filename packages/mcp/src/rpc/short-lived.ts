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

  /** Replaces the value of the key and moves it to the end. */
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

  /** The value that was added first. */
  first(): Value | undefined {
    for (const value of this.values()) return value
    return undefined
  }

  *values(): Generator<Value> {
    for (const { value } of this.boxes.values()) if (value !== undefined) yield value
  }
}

interface Box<Value> {
  value: Value | undefined
}

/** A list of what comes and goes, oldest first. Not a `Set`, for the reason that `ShortLivedMap` gives. */
export class ShortLivedList<Item> implements Iterable<Item> {
  private readonly items: Item[] = []

  get size(): number {
    return this.items.length
  }

  add(item: Item): void {
    this.items.push(item)
  }

  /** False if it is not in the list. Searches: the list is as long as there are requests at once. */
  delete(item: Item): boolean {
    const { items } = this
    // The usual case: each call ends before the next begins. Searching and moving cost more.
    if (items[items.length - 1] === item) {
      items.pop()
      return true
    }
    const at = items.indexOf(item)
    if (at !== -1) items.splice(at, 1)
    return at !== -1
  }

  /** The items that are there now, whatever comes and goes meanwhile. */
  [Symbol.iterator](): IterableIterator<Item> {
    return [...this.items].values()
  }
}
