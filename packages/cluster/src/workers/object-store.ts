import { createMemoryBus, createMemoryFeeds, createMemoryLeases } from '../memory/memory-store.ts'
import type { ClusterStore, ClusterBudgets, OnceMarks } from '../store/cluster-store.ts'
import { wholeMs } from '../store/whole-numbers.ts'
import type { ObjectStorage } from './cloudflare-types.ts'
import { createLongTexts } from './long-texts.ts'
import { openObjectDatabase, type ObjectDatabase } from './object-database.ts'
import { createObjectRecords } from './object-records.ts'
import { createObjectStreams } from './object-streams.ts'
import { sweepDatabase } from './object-upkeep.ts'

/** A store in the SQLite storage of a Durable Object, for endpoints of the same object. */
export interface DurableObjectStore extends ClusterStore {
  /** Deletes what is not kept any more. Returns when to do it again, in milliseconds since 1970; undefined if nothing is left. */
  sweep(): number | undefined
}

/**
 * What must survive the object is in its storage: records, streams, marks and budgets. Leases, hints and messages are for
 * endpoints that run now, and of an object there is never more than one: they are in its memory.
 */
export function createDurableObjectClusterStore(storage: ObjectStorage): DurableObjectStore {
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

type Level = { readonly amount: number; readonly at: number }

function createObjectBudgets({ rows, step, now }: ObjectDatabase): ClusterBudgets {
  return {
    take: (key, wanted, capacity, windowMs) =>
      step(() => {
        const time = now()
        const query = 'SELECT amount, at FROM parley_budgets WHERE id = ? AND kept_until > ?'
        const { amount, at } = rows<Level>(query, key, time)[0] ?? { amount: capacity, at: time }
        const filled = Math.min(capacity, amount + ((time - at) * capacity) / windowMs)
        const granted = Math.min(wanted, Math.floor(filled))
        const left = Math.min(capacity, filled - granted)
        const keep =
          'INSERT OR REPLACE INTO parley_budgets (id, amount, at, kept_until) VALUES (?, ?, ?, ?)'
        rows(keep, key, left, time, time + wholeMs(windowMs))
        return granted
      }),
  }
}

function createObjectOnceMarks({ rows, step, now }: ObjectDatabase): OnceMarks {
  return {
    add: (key, keepMs) =>
      step(() => {
        rows('DELETE FROM parley_marks WHERE id = ? AND kept_until <= ?', key, now())
        const query =
          'INSERT INTO parley_marks (id, kept_until) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id'
        return rows(query, key, now() + wholeMs(keepMs)).length > 0
      }),
  }
}
