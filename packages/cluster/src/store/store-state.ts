import { StoreUnavailable } from './cluster-store.ts'

/** Where a store is in its life. */
export type StoreState = 'new' | 'started' | 'closed'

/** Throws unless the store is started. */
export function requireStarted(state: StoreState): void {
  if (state === 'started') return
  throw new StoreUnavailable(
    state === 'new' ? 'the store is not started: await `start()` first' : 'the store is closed',
  )
}
