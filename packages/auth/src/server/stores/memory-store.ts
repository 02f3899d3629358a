/** How much a store in memory keeps. */
export interface MemoryAuthServerStoreOptions {
  /** The oldest are let go of beyond it. @defaultValue 100_000 */
  readonly maxEntries?: number | undefined
  /** Milliseconds since the epoch. @defaultValue Date.now */
  readonly now?: (() => number) | undefined
}

/** Forgets everything, its keys too, when the program ends. */
export function createMemoryAuthServerStore(
  options: MemoryAuthServerStoreOptions = {},
): AuthServerStore {
  const { maxEntries = 100_000, now = Date.now } = options
  const entries = new Map<string, { readonly text: string; readonly expiresAt: number }>()

  return {
    async get(kind, id) {
      const entry = find(keyOf(kind, id))
      return entry === undefined ? undefined : JSON.parse(entry.text)
    },

    async set(kind, id, value, ttlMs) {
      write(keyOf(kind, id), value, ttlMs)
    },

    async add(kind, id, value, ttlMs) {
      const key = keyOf(kind, id)
      if (find(key) !== undefined) return false
      write(key, value, ttlMs)
      return true
    },

    async delete(kind, id) {
      entries.delete(keyOf(kind, id))
    },
  }

  function find(key: string) {
    const entry = entries.get(key)
    return entry === undefined || entry.expiresAt <= now() ? undefined : entry
  }

  function write(key: string, value: unknown, ttlMs: number): void {
    entries.delete(key)
    entries.set(key, { text: JSON.stringify(value), expiresAt: now() + ttlMs })
    if (entries.size > maxEntries) trim()
  }

  function trim(): void {
    for (const [key, { expiresAt }] of entries) if (expiresAt <= now()) entries.delete(key)
    for (const [key, { expiresAt }] of entries) {
      if (entries.size <= maxEntries) return
      if (expiresAt !== Infinity) entries.delete(key)
    }
  }
}

function keyOf(kind: string, id: string): string {
  return `${kind}\n${id}`
}

/** Where an authorization server remembers things. Values are JSON; `kind` and `id` together name one. */
export interface AuthServerStore {
  /** The value; undefined if there is none, or if it has expired. */
  get(kind: string, id: string): Promise<unknown>
  /** All or nothing. `ttlMs` may be `Infinity`. */
  set(kind: string, id: string, value: unknown, ttlMs: number): Promise<void>
  /** False, and nothing changes, if there is one already: of many at the same time one hears true. */
  add(kind: string, id: string, value: unknown, ttlMs: number): Promise<boolean>
  /** Does nothing if there is none. */
  delete(kind: string, id: string): Promise<void>
}
