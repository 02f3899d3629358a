import { AuthError } from '../../shared/auth-error.ts'
import type { AuthServerStore } from './memory-store.ts'

const waitMs = 50
const maxWaits = 1_200

/** One at a time for each name, in this process and in all others that have the same store. */
export type StoreLock = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Makes a lock of what every store has: of many that add the same thing at once, one succeeds. After `leaseMs`, longer than what is
 * done under a lock takes, another process may go on, should this one have died.
 */
export function createStoreLock(store: AuthServerStore, leaseMs: number): StoreLock {
  const inTurn = createKeyedQueue() // who waits in the same process need not ask the store

  async function acquire(name: string, owner: string): Promise<void> {
    for (let waits = 0; waits < maxWaits; waits += 1) {
      if (await store.add('Lock', name, owner, leaseMs)) return
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
    throw new AuthError('store_failed', 'the store stays locked by another process', {
      step: 'store',
    })
  }

  return (name, work) =>
    inTurn(name, async () => {
      const owner = crypto.randomUUID()
      await acquire(name, owner)
      try {
        return await work()
      } finally {
        // Another process has it if this one took too long.
        if ((await store.get('Lock', name)) === owner) await store.delete('Lock', name)
      }
    })
}

/** Runs work of one key in turn, and of different keys at once. */
export function createKeyedQueue(): <Result>(
  key: string,
  work: () => Promise<Result>,
) => Promise<Result> {
  const tails = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = tails.get(key)
    const done = (async () => {
      await before?.catch(() => undefined) // told to who asked for it
      return work()
    })()
    tails.set(key, done)
    try {
      return await done
    } finally {
      if (tails.get(key) === done) tails.delete(key)
    }
  }
}
