/** A map that holds at most `maxEntries`: when it is full, the entry that was set longest ago goes. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  /** How many entries it holds. */
  get size(): number {
    return this.#entries.size
  }

  /** The value; reading it does not make it newer. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** Whether there is an entry. */
  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  /** Sets an entry, which is the newest from now on. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#maxEntries) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  /** Removes an entry; true if there was one. */
  delete(key: Key): boolean {
    return this.#entries.delete(key)
  }

  /** Removes every entry. */
  clear(): void {
    this.#entries.clear()
  }

  /** The values, oldest first. */
  values(): IterableIterator<Value> {
    return this.#entries.values()
  }
}
