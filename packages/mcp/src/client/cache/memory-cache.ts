import type { MaybePromise } from '../../rpc/promise.ts'
import type { JsonObject } from '../../schema/json.ts'

/** Answers cached for as long as the server said. Clients share a cache only if you pass the same one. */
export interface ClientCache {
  /** The entry; undefined if there is none, or if it has expired. */
  get(key: CacheKey): MaybePromise<CacheEntry | undefined>
  /** Keeps an entry, in place of an earlier one with the same key. */
  set(key: CacheKey, entry: CacheEntry): MaybePromise<void>
  /** Everything whose key has these values. */
  delete(match: Partial<CacheKey>): MaybePromise<void>
}

/** The request that a result belongs to. */
export interface CacheKey {
  /** The address of the server, or a unique name. */
  readonly server: string
  /** Empty for answers the server called public. */
  readonly partition: string
  /** The method, such as `tools/list`. */
  readonly operation: string
  /** The params as JSON, with sorted members. */
  readonly params: string
}

/** An answer, and until when it may be used. */
export interface CacheEntry {
  /** The result as the server sent it. */
  readonly result: JsonObject
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** How much a cache in memory keeps, and for how long. */
export interface MemoryClientCacheOptions {
  /** By the length of the JSON; what has not been used for longest goes first. @defaultValue 32 MiB */
  readonly maxBytes?: number | undefined
  /** However long the server allows. @defaultValue 86_400_000, a day */
  readonly maxAgeMs?: number | undefined
  /** Milliseconds since the epoch. @defaultValue Date.now */
  readonly now?: (() => number) | undefined
}

interface Kept {
  readonly key: CacheKey
  /** The result as text, so that no two callers share an object. */
  readonly text: string
  readonly expiresAt: number
}

/** A cache in memory, to share between clients or to size. */
export function createMemoryClientCache({
  maxBytes = 32 * 1024 * 1024,
  maxAgeMs = 86_400_000,
  now = Date.now,
}: MemoryClientCacheOptions = {}): ClientCache {
  const entries = new Map<string, Kept>()
  let bytes = 0

  function remove(name: string): void {
    bytes -= entries.get(name)?.text.length ?? 0
    entries.delete(name)
  }

  return {
    get(key) {
      const name = nameOf(key)
      const entry = entries.get(name)
      if (entry === undefined) return undefined
      if (entry.expiresAt <= now()) {
        remove(name)
        return undefined
      }
      entries.delete(name)
      entries.set(name, entry) // used last, dropped last
      return { result: JSON.parse(entry.text) as JsonObject, expiresAt: entry.expiresAt } // written below
    },
    set(key, { result, expiresAt }) {
      const name = nameOf(key)
      const text = JSON.stringify(result)
      remove(name)
      if (text.length > maxBytes) return
      entries.set(name, { key, text, expiresAt: Math.min(expiresAt, now() + maxAgeMs) })
      bytes += text.length
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) return
        remove(oldest)
      }
    },
    delete(match) {
      for (const [name, { key }] of entries) if (matches(key, match)) remove(name)
    },
  }
}

function nameOf({ server, partition, operation, params }: CacheKey): string {
  return JSON.stringify([server, partition, operation, params])
}

function matches(key: CacheKey, match: Partial<CacheKey>): boolean {
  const { server, partition, operation, params } = match
  return (
    (server === undefined || server === key.server) &&
    (partition === undefined || partition === key.partition) &&
    (operation === undefined || operation === key.operation) &&
    (params === undefined || params === key.params)
  )
}
