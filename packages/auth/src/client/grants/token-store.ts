import { withTimeout } from '@parley/mcp/signals'

import { AuthError } from '../../shared/auth-error.ts'

/** Where grants are kept. Compare-and-set and a lock keep rotating tokens from being spent twice. */
export interface TokenStore {
  /** Returns the value stored under the key, or undefined. */
  get(key: StoreKey): Promise<StoredGrant | undefined>
  /** False: `expectedVersion` is no longer current. Without one it is written whatever is there. */
  set(key: StoreKey, grant: StoredGrant, expectedVersion?: string): Promise<boolean>
  /** False: `expectedVersion` is no longer current. Without one it is deleted whatever is there. */
  delete(key: StoreKey, expectedVersion?: string): Promise<boolean>
  /** One at a time for each key. Rejects with `store_failed` when the lock cannot be had in time. */
  withLock<T>(
    key: StoreKey,
    work: () => Promise<T>,
    options: { readonly timeoutMs: number },
  ): Promise<T>
}

/** The key of a stored value. */
export interface StoreKey {
  /** The kind of value: tokens, a client registration, metadata of a server, or a sign-in in progress. */
  readonly kind: 'grant' | 'registration' | 'server' | 'sign-in'
  /** The authorization server that it belongs to. */
  readonly issuer: string
  /** The server that the tokens are for; absent for what belongs to the issuer alone. */
  readonly resource?: string
  /** Which person, where there are several on one machine. */
  readonly account?: string
  /** The only server it is for, where that is a part of the resource. */
  readonly server?: string
}

/** A stored value: a text that only we read, and a version that is new with every change. */
export interface StoredGrant {
  /** New with every change; compared by `set` and `delete`. */
  readonly version: string
  /** An opaque text; it has tokens in it, so a store must keep it secret. */
  readonly value: string
}

/** One text for each key, and no two keys with the same. */
export function storeKeyText({ kind, issuer, resource, account, server }: StoreKey): string {
  const ofServer = server === undefined ? [] : [server]
  return JSON.stringify([kind, issuer, resource ?? null, account ?? null, ...ofServer])
}

/** Grants for as long as the process lives. */
export function createMemoryTokenStore(): TokenStore {
  const grants = new Map<string, StoredGrant>()
  const lastInLine = new Map<string, Promise<void>>()

  return {
    async get(key) {
      return grants.get(storeKeyText(key))
    },

    async set(key, { version, value }, expectedVersion) {
      const name = storeKeyText(key)
      if (expectedVersion !== undefined && grants.get(name)?.version !== expectedVersion)
        return false
      grants.set(name, { version, value })
      return true
    },

    async delete(key, expectedVersion) {
      const name = storeKeyText(key)
      if (expectedVersion !== undefined && grants.get(name)?.version !== expectedVersion)
        return false
      return grants.delete(name)
    },

    async withLock(key, work, { timeoutMs }) {
      const name = storeKeyText(key)
      const before = lastInLine.get(name)
      let release = () => {}
      const done = new Promise<void>((resolve) => (release = resolve))
      const mine = before === undefined ? done : before.then(() => done)
      lastInLine.set(name, mine)
      try {
        if (before !== undefined)
          await withTimeout(timeoutMs, before, () => stillRunning(timeoutMs))
        return await work()
      } finally {
        release()
        // Not at once: who gave up waiting is the last in line while another still works.
        void mine.then(() => {
          if (lastInLine.get(name) === mine) lastInLine.delete(name)
        })
      }
    },
  }
}

function stillRunning(ms: number): AuthError {
  const message = `another sign-in or token refresh is still running after ${ms} ms`
  return new AuthError('store_failed', message, { step: 'store' })
}
