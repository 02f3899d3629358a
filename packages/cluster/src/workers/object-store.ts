import { createMemoryBus } from '../memory/memory-bus.ts'
import { createMemoryFeeds } from '../memory/memory-feeds.ts'
import { createMemoryLeases } from '../memory/memory-leases.ts'
import type { ClusterStore } from '../store/cluster-store.ts'
import type { ObjectStorage } from './cloudflare-types.ts'
import { createLongTexts } from './long-texts.ts'
import { createObjectBudgets } from './object-budgets.ts'
import { openObjectDatabase } from './object-database.ts'
import { createObjectOnceMarks } from './object-once-marks.ts'
import { createObjectRecords } from './object-records.ts'
import { createObjectStreams } from './object-streams.ts'
import { sweepDatabase } from './sweep-database.ts'

/** A store in the SQLite storage of a Durable Object, for endpoints of the same object. */
export interface DurableObjectStore extends ClusterStore {
  /** Deletes what is not kept any more. Returns when to do it again, in milliseconds since 1970; undefined if nothing is left. */
  sweep(): number | undefined
}

/**
 * What must survive the object is in its storage: records, streams, marks and budgets. Leases, hints and messages are for
 * endpoints that run now, and of an object there is never more than one: they are in its memory.
 */
export function createDurableObjectStore(storage: ObjectStorage): DurableObjectStore {
  const database = openObjectDatabase(storage)
  const long = createLongTexts(database)
  return {
    records: createObjectRecords(database, long),
    streams: createObjectStreams(database, long),
    once: createObjectOnceMarks(database),
    budgets: createObjectBudgets(database),
    feeds: createMemoryFeeds(database.now),
    leases: createMemoryLeases(database.now),
    bus: createMemoryBus(),
    start: async () => undefined,
    close: async () => undefined,
    sweep: () => sweepDatabase(database, long),
  }
}
