import type { ClusterStore } from '../store/cluster-store.ts'
import { createMemoryBudgets } from './memory-budgets.ts'
import { createMemoryBus } from './memory-bus.ts'
import { createMemoryFeeds } from './memory-feeds.ts'
import { createMemoryLeases } from './memory-leases.ts'
import { createMemoryOnceMarks } from './memory-once-marks.ts'
import { createMemoryRecords } from './memory-records.ts'
import { createMemoryStreams } from './memory-streams.ts'

/** A store in the memory of this process: for tests, for several endpoints in one process, and behind a parent process. */
export function createMemoryStore(now: () => number = () => performance.now()): ClusterStore {
  return {
    records: createMemoryRecords(now),
    feeds: createMemoryFeeds(now),
    once: createMemoryOnceMarks(now),
    leases: createMemoryLeases(now),
    streams: createMemoryStreams(now),
    budgets: createMemoryBudgets(now),
    bus: createMemoryBus(),
    start: async () => undefined,
    close: async () => undefined,
  }
}
