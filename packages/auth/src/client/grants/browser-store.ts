import { parseJsonObject } from '@parley/mcp/json'

import { AuthError } from '../../shared/auth-error.ts'
import {
  createMemoryTokenStore,
  storeKeyText,
  type StoredGrant,
  type StoreKey,
  type TokenStore,
} from './token-store.ts'

/** The part of `sessionStorage` and `localStorage` that is used. */
export interface WebStorage {
  /** Null if there is nothing. */
  getItem(name: string): string | null
  /** Throws if there is no room. */
  setItem(name: string, value: string): void
  /** Nothing happens if there is nothing. */
  removeItem(name: string): void
}

/** Where a page keeps its tokens. */
export interface BrowserTokenStoreOptions {
  /** `localStorage` keeps them for all tabs, and when the browser is closed. @defaultValue `sessionStorage`: this tab, until it is closed */
  readonly storage?: WebStorage | undefined
  /** Begins the names of all items. @defaultValue 'parley' */
  readonly prefix?: string | undefined
}

/** The part of `navigator.locks` that is used. */
interface Locks {
  request<T>(
    name: string,
    options: { readonly signal: AbortSignal } | { readonly ifAvailable: true },
    /** With null if it is not available. */
    work: (lock: object | null) => Promise<T>,
  ): Promise<T>
}

/**
 * Grants in a browser. Tabs that share `localStorage` take turns by `navigator.locks`. Scripts of the page's origin can read what is
 * kept, in any storage of a browser: keep foreign scripts out by a content security policy.
 */
export function createBrowserTokenStore(options: BrowserTokenStoreOptions = {}): TokenStore {
  const { storage = sessionStorageHere(), prefix = 'parley' } = options
  const inPage = createMemoryTokenStore()

  function nameOf(key: StoreKey): string {
    return `${prefix}:${storeKeyText(key)}`
  }

  function read(key: StoreKey): StoredGrant | undefined {
    const { version, value } = parseJsonObject(storage.getItem(nameOf(key)) ?? '') ?? {}
    const isOurs = typeof version === 'string' && typeof value === 'string'
    return isOurs ? { version, value } : undefined
  }

  function write(key: StoreKey, { version, value }: StoredGrant): void {
    try {
      storage.setItem(nameOf(key), JSON.stringify({ version, value }))
    } catch (error) {
      throw new AuthError('store_failed', 'the storage of the browser takes nothing more', {
        step: 'store',
        hint: 'It is full, or the browser does not let this page store anything.',
        cause: error,
      })
    }
  }

  /** One at a time for each name, in all tabs where the browser has locks. */
  async function inTurn<T>(key: StoreKey, name: string, work: () => Promise<T>, timeoutMs: number) {
    const locks = locksHere()
    if (locks === undefined) {
      return inPage.withLock({ ...key, server: `${name} ${key.server ?? ''}` }, work, { timeoutMs })
    }
    let hasBegun = false
    // A signal of no time would end even what nobody else holds.
    const signal = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined
    const patience = signal ? { signal } : ({ ifAvailable: true } as const)
    try {
      return await locks.request(`${name} ${nameOf(key)}`, patience, (lock) => {
        if (lock === null) throw busy(timeoutMs)
        hasBegun = true
        return work()
      })
    } catch (error) {
      throw !hasBegun && signal?.aborted ? busy(timeoutMs) : error
    }
  }

  return {
    async get(key) {
      return read(key)
    },

    set(key, grant, expectedVersion) {
      const work = async () => {
        if (expectedVersion !== undefined && read(key)?.version !== expectedVersion) return false
        write(key, grant)
        return true
      }
      return inTurn(key, 'write', work, 10_000)
    },

    delete(key, expectedVersion) {
      const work = async () => {
        const stored = read(key)
        if (expectedVersion !== undefined && stored?.version !== expectedVersion) return false
        storage.removeItem(nameOf(key))
        return stored !== undefined
      }
      return inTurn(key, 'write', work, 10_000)
    },

    withLock: (key, work, { timeoutMs }) => inTurn(key, 'hold', work, timeoutMs),
  }
}

function busy(timeoutMs: number): AuthError {
  const why = `another sign-in or token refresh is still running after ${timeoutMs} ms`
  return new AuthError('store_failed', why, { step: 'store' })
}

/** Returns the browser's locks; undefined elsewhere, and for pages without https. */
function locksHere(): Locks | undefined {
  const { navigator } = globalThis as { navigator?: { locks?: Locks } } // may be missing: not only browsers run this
  return navigator?.locks
}

function sessionStorageHere(): WebStorage {
  const { sessionStorage } = globalThis as { sessionStorage?: WebStorage } // as above
  if (sessionStorage !== undefined) return sessionStorage
  throw new TypeError(
    'createBrowserTokenStore() needs a browser: pass storage where there is no sessionStorage',
  )
}
