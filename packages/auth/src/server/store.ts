/** Where an authorization server remembers things. Values are JSON; `kind` and `id` together name one. */
export interface AuthServerStore {
  get(kind: string, id: string): Promise<unknown>
  /** All or nothing. `ttlMs` may be `Infinity`. */
  set(kind: string, id: string, value: unknown, ttlMs: number): Promise<void>
  delete(kind: string, id: string): Promise<void>
}
