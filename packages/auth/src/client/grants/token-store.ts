/** Where grants are kept. Compare-and-set and a lock keep rotating tokens from being spent twice. */
export interface TokenStore {
  get(key: StoreKey): Promise<StoredGrant | undefined>
  /** False: `expectedVersion` is no longer current. Without one it is written whatever is there. */
  set(key: StoreKey, grant: StoredGrant, expectedVersion?: string): Promise<boolean>
  delete(key: StoreKey, expectedVersion?: string): Promise<boolean>
  /** One at a time for each key. Rejects with `store_failed` when the lock cannot be had in time. */
  withLock<T>(
    key: StoreKey,
    work: () => Promise<T>,
    options: { readonly timeoutMs: number },
  ): Promise<T>
}

/** What something is kept under. */
export interface StoreKey {
  readonly kind: 'grant' | 'registration' | 'server' | 'sign-in'
  readonly issuer: string
  readonly resource?: string
  readonly account?: string
  /** The only server it is for, where that is a part of the resource. */
  readonly server?: string
}

/** What is kept: a text that only we read, and a version that is new with every change. */
export interface StoredGrant {
  readonly version: string
  readonly value: string
}

/** One text for each key, and no two keys with the same. */
export function storeKeyText({ kind, issuer, resource, account, server }: StoreKey): string {
  const ofServer = server === undefined ? [] : [server]
  return JSON.stringify([kind, issuer, resource ?? null, account ?? null, ...ofServer])
}
