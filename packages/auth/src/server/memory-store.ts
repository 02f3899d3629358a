import type { AuthServerStore } from './store.ts'

export interface ServerMemoryStoreOptions {
  /** The oldest are let go of beyond it. @defaultValue 100_000 */
  readonly maxEntries?: number | undefined
  readonly now?: (() => number) | undefined
}

/** Forgets everything, its keys too, when the program ends. */
export function serverMemoryStore(options: ServerMemoryStoreOptions = {}): AuthServerStore {
  const { maxEntries = 100_000, now = Date.now } = options
  const entries = new Map<string, { readonly text: string; readonly expiresAt: number }>()

  return {
    async get(kind, id) {
      const entry = entries.get(keyOf(kind, id))
      if (entry === undefined || entry.expiresAt <= now()) return undefined
      return JSON.parse(entry.text)
    },

    async set(kind, id, value, ttlMs) {
      const key = keyOf(kind, id)
      entries.delete(key)
      entries.set(key, { text: JSON.stringify(value), expiresAt: now() + ttlMs })
      if (entries.size > maxEntries) trim()
    },

    async delete(kind, id) {
      entries.delete(keyOf(kind, id))
    },
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
