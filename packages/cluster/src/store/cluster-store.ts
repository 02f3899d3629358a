import type { ClusterStreams } from './streams.ts'

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
  readonly records: ClusterRecords
  /** Messages between processes. */
  readonly feeds: ClusterFeeds
  /** Marks that can be set once. */
  readonly once: OnceMarks
  /** Which processes are alive. */
  readonly leases: ClusterLeases
  /** Events of streams. */
  readonly streams: ClusterStreams
  /** Limits that all processes share. */
  readonly budgets: ClusterBudgets
  /** Hints to look again; they may be lost. */
  readonly bus: ClusterBus
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

/** Amounts that all processes together may use up, handed out in portions so that a use costs no command. */
export interface ClusterBudgets {
  /**
   * Takes up to `wanted` from a budget that holds `capacity` at most and is filled evenly within `windowMs`. Returns what
   * was granted: a whole number, possibly 0. What is not used may be given back as a negative amount.
   */
  take(key: string, wanted: number, capacity: number, windowMs: number): Promise<number>
}

/** Hints between processes. One may be lost, delayed, repeated or overtaken by a later one. */
export interface ClusterBus {
  /** Never rejects and is never waited for. */
  publish(topic: string, text: string): void
  /** Hears what is published from now on, by this process too. */
  subscribe(topic: string, onText: (text: string) => void): Disposable
}

/** Events in order, for every process that wants to know. */
export interface ClusterFeeds {
  /** Adds an entry. Each is kept for `keepMs` at least, unless more than `maxFeedEntries` follow it. */
  append(feed: string, text: string, keepMs: number): Promise<void>
  /** Entries after a cursor of an earlier answer. Without a cursor there are none, only a cursor for the next time. */
  readSince(feed: string, cursor: string | undefined): Promise<FeedPage>
}

/** The entries of a feed since a cursor. */
export interface FeedPage {
  /** At most `feedPageSize`; a full page means that there may be more. */
  readonly texts: readonly string[]
  /** Where to read on. */
  readonly cursor: string
  /** Entries between the cursor and these are lost: they were not kept so long, or the store lost its data. */
  readonly hasGap: boolean
}

/** Entries of one feed that a store keeps at most. */
export const maxFeedEntries = 10_000

/** Entries that one call reads at most. */
export const feedPageSize = 500

/** Which processes are alive. */
export interface ClusterLeases {
  /** Says that a process is alive for the next `leaseMs`. `info` is for people who look at the cluster. */
  renew(node: string, leaseMs: number, info: string): Promise<void>
  /** Whether the lease of a process still runs. */
  isAlive(node: string): Promise<boolean>
  /** The process ends by itself, so that nobody has to wait for its lease to run out. */
  release(node: string): Promise<void>
  /** Every process that is alive, with its `info`, in the order of their names. */
  alive(): Promise<readonly LiveNode[]>
  /** How many processes are alive. Costs the same however many there are. */
  count(): Promise<number>
}

/** A process that is alive. */
export interface LiveNode {
  /** The name of the process. */
  readonly node: string
  /** The process's description, for people. */
  readonly info: string
}

/** Values that may be used once: a redemption, a proof, a number. */
export interface OnceMarks {
  /** True the first time; false for as long as the mark is kept. */
  add(key: string, keepMs: number): Promise<boolean>
}

/** Which record: those of one group are kept together and can be listed. */
export interface RecordKey {
  /** Which group. */
  readonly group: string
  /** Which record of the group. */
  readonly id: string
  /** True if the group never has another record and is never listed; the same each time. A store may save lists for it. */
  readonly isAlone?: true | undefined
}

/** A text, and how often it was written. */
export interface VersionedText {
  /** The text. */
  readonly text: string
  /** 1 when it was first written, then one more with each change. */
  readonly version: number
}

/** Texts that any process may change, none without having seen the last change. */
export interface ClusterRecords {
  /** The text; undefined if there is no such record. */
  get(key: RecordKey): Promise<VersionedText | undefined>
  /**
   * Writes a text if the version is still `expected`, where 0 means that there is no such record; false if it is not. The
   * record is forgotten `keepMs` after the last write.
   */
  put(key: RecordKey, text: string, expected: number, keepMs: number): Promise<boolean>
  /** Does nothing if there is no such record. */
  remove(key: RecordKey): Promise<void>
  /** Records of a group in the order they were first written, at most `limit` of those after `cursor`. */
  list(group: string, cursor: string | undefined, limit: number): Promise<RecordPage>
}

/** Some records of a group. */
export interface RecordPage {
  /** The records, in the order they were first written. */
  readonly texts: readonly string[]
  /** Where the next page begins; undefined after the last. */
  readonly cursor?: string
}

/** Where a store is in its life. */
export type StoreState = 'new' | 'started' | 'closed'

/** Throws unless the store is started. */
export function requireStarted(state: StoreState): void {
  if (state === 'started') return
  throw new StoreUnavailable(
    state === 'new' ? 'the store is not started: await `start()` first' : 'the store is closed',
  )
}
