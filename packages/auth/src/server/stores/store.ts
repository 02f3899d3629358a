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
