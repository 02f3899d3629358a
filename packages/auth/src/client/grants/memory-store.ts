import { withTimeout } from '@parley/mcp/signals'

import { AuthError } from '../../shared/auth-error.ts'
import { storeKeyText, type StoredGrant, type TokenStore } from './token-store.ts'

/** Grants for as long as the process lives. */
export function memoryStore(): TokenStore {
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
