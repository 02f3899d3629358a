import { setTimeout as sleep } from 'node:timers/promises'

import { StoreUnavailable } from '../store/cluster-store.ts'
import { printOnce } from './reports.ts'

export interface WaitForStoreOptions {
  readonly startMs?: number | undefined
  readonly onRetry?: ((error: StoreUnavailable) => void) | undefined
}

const firstWaitMs = 100
const maxWaitMs = 2_000

/** Asks again until the store can be reached: it may be starting too. */
export async function waitForStore<Answer>(
  ask: () => Promise<Answer>,
  { startMs = 30_000, onRetry = printOnce() }: WaitForStoreOptions,
): Promise<Answer> {
  const end = performance.now() + startMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(maxWaitMs, waitMs * 2)) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() + waitMs > end) throw error
      onRetry(error)
    }
    await sleep(waitMs)
  }
}
