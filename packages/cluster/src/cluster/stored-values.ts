import { StoreUnavailable, type ClusterStore, type RecordKey } from '../store/cluster-store.ts'

/** JSON values by kind and id, as `createAuthServer` of `@parley/auth/server` takes them for its `store`. */
export interface StoredValues {
  /** The value; undefined if there is none, or if it has expired. */
  get(kind: string, id: string): Promise<unknown>
  /** Writes a value that is kept for `ttlMs`. */
  set(kind: string, id: string, value: unknown, ttlMs: number): Promise<void>
  /** False, and nothing changes, if there is one already. */
  add(kind: string, id: string, value: unknown, ttlMs: number): Promise<boolean>
  /** Does nothing if there is none. */
  delete(kind: string, id: string): Promise<void>
}

/** Somebody else was first so often that something must be wrong. */
const maxTries = 100

export function createStoredValues({ records }: Pick<ClusterStore, 'records'>): StoredValues {
  return {
    async get(kind, id) {
      const found = await records.get(keyOf(kind, id))
      return found && JSON.parse(found.text)
    },

    async set(kind, id, value, ttlMs) {
      const key = keyOf(kind, id)
      const text = JSON.stringify(value)
      for (let tries = 0; tries < maxTries; tries += 1) {
        const found = await records.get(key)
        if (await records.put(key, text, found?.version ?? 0, ttlMs)) return
      }
      throw new StoreUnavailable(`${kind} was changed by others ${maxTries} times in a row`)
    },

    add: (kind, id, value, ttlMs) => records.put(keyOf(kind, id), JSON.stringify(value), 0, ttlMs),

    delete: (kind, id) => records.remove(keyOf(kind, id)),
  }
}

/** A group of its own for each value: groups are spread over the nodes of a store. */
function keyOf(kind: string, id: string): RecordKey {
  return { group: `value/${kind}/${id}`, id: 'value', isAlone: true }
}
