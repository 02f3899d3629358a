import type { ClusterStore } from '../store/cluster-store.ts'
import { busCases } from './bus-cases.ts'
import { feedCases } from './feed-cases.ts'
import { recordCases } from './record-cases.ts'
import { smallCases } from './small-cases.ts'
import { streamCases } from './stream-cases.ts'

/** One promise of a store, for any test runner: `run` rejects when it is broken. */
export interface StoreCase {
  /** The promise, as the title of a test. */
  readonly name: string
  /** Rejects if the promise is broken. */
  run(): Promise<void>
}

/** The same store as two processes see it. Names in it that nobody has used. */
export interface OpenedStore {
  /** The store as one process sees it. */
  readonly first: ClusterStore
  /** The store as another process sees it. */
  readonly second: ClusterStore
}

/** A promise, checked on a store that both processes have started. */
export interface ContractCase {
  readonly name: string
  check(first: ClusterStore, second: ClusterStore): Promise<void>
}

/**
 * What every store of a cluster promises, as cases for any test runner. `open` gives an empty store, or one in which the
 * names of the cases are not used yet.
 */
export function storeContract(open: () => Promise<OpenedStore>): readonly StoreCase[] {
  const cases = [...recordCases, ...feedCases, ...smallCases, ...streamCases, ...busCases]
  return cases.map(({ name, check }) => ({
    name,
    async run() {
      const { first, second } = await open()
      try {
        await Promise.all([first.start(), second.start()])
        await check(first, second)
      } finally {
        await Promise.all([first.close(), second.close()])
      }
    },
  }))
}
