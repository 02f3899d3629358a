import type { Budgets } from './budgets.ts'
import type { Bus } from './bus.ts'
import type { Feeds } from './feeds.ts'
import type { Leases } from './leases.ts'
import type { OnceMarks } from './once-marks.ts'
import type { Records } from './records.ts'
import type { Streams } from './streams.ts'

/**
 * What the processes of a cluster share. An adapter implements these seven parts on its engine; everything else of the
 * cluster is built on them and is the same for every engine.
 *
 * Every method is one atomic step, whichever process calls it and however many at once. Times are measured by the store's
 * clock, never by that of a process. A method rejects with `StoreUnavailable` while the store cannot be reached; nothing
 * else makes it reject.
 *
 * Correctness never depends on `bus`: it only makes things happen sooner.
 */
export interface ClusterStore {
  /** Texts with versions. */
  readonly records: Records
  /** Messages between processes. */
  readonly feeds: Feeds
  /** Marks that can be set once. */
  readonly once: OnceMarks
  /** Which processes are alive. */
  readonly leases: Leases
  /** Events of streams. */
  readonly streams: Streams
  /** Limits that all processes share. */
  readonly budgets: Budgets
  /** Hints to look again; they may be lost. */
  readonly bus: Bus
  /**
   * Resolves when the store has answered. Rejects with `StoreUnavailable` for what may be over by itself, and with another
   * error for what is not, such as a wrong password or another version of this package. `warn` hears of what works badly.
   */
  start(warn?: (message: string) => void): Promise<void>
  /** Ends the connections to the store. */
  close(): Promise<void>
}

/** The store did not answer, or not in time. What was asked for may have happened or not. */
export class StoreUnavailable extends Error {
  /** Always `StoreUnavailable`. */
  override readonly name = 'StoreUnavailable'
}
