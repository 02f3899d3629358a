import { AuthError } from '../../shared/auth-error.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import type { AuthServerStore } from './store.ts'

/** Longer than what is done under a lock takes; then another process may go on, should this one have died. */
const leaseMs = 45_000
const waitMs = 50
const maxWaits = 1_200

/** One at a time for each name, in this process and in all others that have the same store. */
export type StoreLock = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

/** Makes a lock of what every store has: of many that add the same thing at once, one succeeds. */
export function createStoreLock(store: AuthServerStore): StoreLock {
  const inTurn = createKeyedQueue() // who waits in the same process need not ask the store

  async function acquire(name: string): Promise<void> {
    for (let waits = 0; waits < maxWaits; waits += 1) {
      if (await store.add('Lock', name, true, leaseMs)) return
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
    throw new AuthError('store_failed', 'the store stays locked by another process', {
      step: 'store',
    })
  }

  return (name, work) =>
    inTurn(name, async () => {
      await acquire(name)
      try {
        return await work()
      } finally {
        await store.delete('Lock', name)
      }
    })
}
