import { setTimeout as sleep } from 'node:timers/promises'

import { type ClusterStore, StoreUnavailable } from '@parley/cluster'

/** The first value that is not false or undefined. */
export async function until<Value>(
  poll: () => Promise<Value | false | undefined> | Value | false | undefined,
): Promise<Value> {
  for (;;) {
    const value = await poll()
    if (value !== false && value !== undefined) return value
    await sleep(20)
  }
}

/** Starts a store, however long its server takes to answer. */
export async function startPatiently(store: ClusterStore): Promise<void> {
  await until(async () => {
    try {
      await store.start()
      return true
    } catch (error) {
      if (error instanceof StoreUnavailable) return false
      throw error
    }
  })
}
