import type { StoreKey, TokenStore } from '@parley/auth/client'

/** What is seen of the grants of one server. */
export interface GrantWatch {
  /** Where the store has the grant. */
  key?: StoreKey | undefined
  /** Somebody wants to sign in although there is a grant: it counts for nothing until there is another. */
  isRenewing?: boolean | undefined
}

/** The same store, whose grants are watched. */
export function watchStore(store: TokenStore, watch: GrantWatch): TokenStore {
  return {
    async get(key) {
      if (key.kind !== 'grant') return store.get(key)
      if (watch.isRenewing === true) return undefined
      const found = await store.get(key)
      if (found !== undefined) watch.key = key
      return found
    },
    set(key, grant, expectedVersion) {
      if (key.kind === 'grant') {
        watch.key = key
        watch.isRenewing = false
      }
      return store.set(key, grant, expectedVersion)
    },
    delete: (key, expectedVersion) => store.delete(key, expectedVersion),
    withLock: (key, work, options) => store.withLock(key, work, options),
  }
}
