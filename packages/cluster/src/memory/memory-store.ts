/**
 * The store of a cluster in the memory of one process: for tests, for several endpoints in one process, and behind the parent of
 * child processes. Each part is a function of its own. It passes the same contract as Redis and PostgreSQL.
 */

import { randomUUID } from 'node:crypto'

import {
  type ClusterStore,
  type ClusterBudgets,
  type ClusterBus,
  type ClusterLeases,
  type OnceMarks,
  feedPageSize,
  maxFeedEntries,
  type ClusterFeeds,
  type RecordKey,
  type ClusterRecords,
  type VersionedText,
} from '../store/cluster-store.ts'
import { createListeners } from '../store/listeners.ts'
import { createExpiringMap, type ExpiringMap } from './expiring-map.ts'
import { createMemoryStreams } from './memory-streams.ts'

/** A store in the memory of this process: for tests, for several endpoints in one process, and behind a parent process. */
export function createMemoryClusterStore(
  now: () => number = () => performance.now(),
): ClusterStore {
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

interface Level {
  readonly amount: number
  readonly at: number
}

function createMemoryBudgets(now: () => number): ClusterBudgets {
  const levels = createExpiringMap<Level>(now)
  return {
    async take(key, wanted, capacity, windowMs) {
      const { amount, at } = levels.get(key) ?? { amount: capacity, at: now() }
      const filled = Math.min(capacity, amount + ((now() - at) * capacity) / windowMs)
      const granted = Math.min(wanted, Math.floor(filled))
      levels.set(key, { amount: Math.min(capacity, filled - granted), at: now() }, windowMs)
      return granted
    },
  }
}

export function createMemoryBus(): ClusterBus {
  const listeners = createListeners({ open: () => undefined, close: () => undefined })
  return {
    // Later, as over a network: nobody is called while it is busy.
    publish: (topic, text) => queueMicrotask(() => listeners.notify(topic, text)),
    subscribe: (topic, onText) => listeners.add(topic, onText),
  }
}

export function createMemoryLeases(now: () => number): ClusterLeases {
  const leases = createExpiringMap<string>(now)
  return {
    renew: async (node, leaseMs, info) => leases.set(node, info, leaseMs),
    isAlive: async (node) => leases.get(node) !== undefined,
    release: async (node) => leases.delete(node),
    async alive() {
      const nodes = [...leases.entries()].map(([node, info]) => ({ node, info }))
      return nodes.toSorted((a, b) => (a.node < b.node ? -1 : 1))
    },
    count: async () => [...leases.entries()].length,
  }
}

function createMemoryOnceMarks(now: () => number): OnceMarks {
  const marks = createExpiringMap<true>(now)
  return {
    async add(key, keepMs) {
      if (marks.get(key)) return false
      marks.set(key, true, keepMs)
      return true
    },
  }
}

interface Feed {
  entries: { readonly text: string; readonly until: number }[]
  /** The number of the entry before the first. */
  dropped: number
}

export function createMemoryFeeds(now: () => number): ClusterFeeds {
  const feeds = new Map<string, Feed>()
  const generation = randomUUID().slice(0, 8)

  function feedOf(name: string): Feed {
    const existing = feeds.get(name)
    if (existing) return existing
    const made: Feed = { entries: [], dropped: 0 }
    feeds.set(name, made)
    return made
  }

  function trim(feed: Feed): void {
    let count = Math.max(0, feed.entries.length - maxFeedEntries)
    while ((feed.entries[count]?.until ?? Infinity) <= now()) count += 1
    feed.entries.splice(0, count)
    feed.dropped += count
  }

  return {
    async append(name, text, keepMs) {
      const feed = feedOf(name)
      feed.entries.push({ text, until: now() + keepMs })
      trim(feed)
    },

    async readSince(name, cursor) {
      const feed = feedOf(name)
      const last = feed.dropped + feed.entries.length
      if (cursor === undefined) return { texts: [], cursor: `${generation}.${last}`, hasGap: false }
      const [seenGeneration, number] = cursor.split('.')
      const after = seenGeneration === generation ? Number(number) : 0
      const hasGap = seenGeneration !== generation || after < feed.dropped
      const from = Math.max(after, feed.dropped)
      const page = feed.entries.slice(from - feed.dropped, from - feed.dropped + feedPageSize)
      const texts = page.map(({ text }) => text)
      return { texts, cursor: `${generation}.${from + texts.length}`, hasGap }
    },
  }
}

interface Stored extends VersionedText {
  readonly order: number
}

function createMemoryRecords(now: () => number): ClusterRecords {
  const groups = createExpiringMap<ExpiringMap<Stored>>(now)
  let lastOrder = 0

  function find({ group, id }: RecordKey): Stored | undefined {
    return groups.get(group)?.get(id)
  }

  return {
    async get(key) {
      const found = find(key)
      return found && { text: found.text, version: found.version }
    },

    async put(key, text, expected, keepMs) {
      const existing = find(key)
      if ((existing?.version ?? 0) !== expected) return false
      const order = existing?.order ?? (lastOrder += 1)
      const group = groups.get(key.group) ?? createExpiringMap<Stored>(now)
      group.set(key.id, { text, version: expected + 1, order }, keepMs)
      groups.set(key.group, group, maxKeepMs(group, keepMs))
      return true
    },

    async remove({ group, id }) {
      groups.get(group)?.delete(id)
    },

    async list(name, cursor, limit) {
      const after = cursor === undefined ? 0 : Number(cursor)
      const all = [...(groups.get(name)?.entries() ?? [])].map(([, stored]) => stored)
      const rest = all.toSorted((a, b) => a.order - b.order).filter(({ order }) => order > after)
      const page = rest.slice(0, limit)
      const texts = page.map(({ text }) => text)
      const last = page.at(-1)
      return rest.length > limit && last ? { texts, cursor: String(last.order) } : { texts }
    },
  }

  /** A group is kept for as long as its longest record. */
  function maxKeepMs(group: ExpiringMap<Stored>, keepMs: number): number {
    const longest = Math.max(keepMs, keeps.get(group) ?? 0)
    keeps.set(group, longest)
    return longest
  }
}

const keeps = new WeakMap<ExpiringMap<Stored>, number>()
