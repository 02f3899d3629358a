import type { TraceRecord } from '@parley/foundation/trace'
import { BoundedMap } from '@parley/mcp/internal'

import { readEntry } from '../rows/entry.ts'
import { createRowTable } from '../rows/rows.ts'
import type { TraceSource } from './source.ts'

const pageSize = 1000
const maximumEntries = 200_000
/** Whole records that are kept near; older ones are asked for again. */
const keptRecords = 400

/** Records after one, and which the service keeps. */
export interface TracePage {
  readonly records: readonly TraceRecord[]
  readonly first: number
  readonly last: number
}

/** Where the records of a live trace come from: a service that keeps them. */
export interface TraceFeed {
  /** The first records after `after`, at most `limit`. */
  page(after: number, limit: number): Promise<TracePage>
  /** Told of records as they are added; some may be missed. */
  onRecords(listener: (records: readonly TraceRecord[]) => void): void
  /** Told when the connection is there, for the first time or again. */
  onOpen(listener: () => void): void
  /** Forgets all records; without it they cannot be cleared. */
  clear?(): Promise<unknown>
}

/** What happens now. Reading begins at once, and goes on while nobody looks. */
export function createLiveSource(feed: TraceFeed, name = 'Live'): TraceSource {
  const table = createRowTable()
  const listeners = new Set<(added: readonly TraceRecord[]) => void>()
  const near = new BoundedMap<number, TraceRecord>(keptRecords)
  let lastSeq = 0
  let progress = 0
  let isReading = false

  function take(records: readonly TraceRecord[]) {
    const fresh = records.filter(({ seq }) => seq > lastSeq)
    for (const record of fresh) {
      table.add(readEntry(record))
      keep(record)
      lastSeq = record.seq
    }
    table.trim(maximumEntries)
    if (fresh.length > 0) for (const listener of listeners) listener(fresh)
  }

  function keep(record: TraceRecord) {
    near.set(record.seq, record)
  }

  /** Reads from where we are to the end; events that come meanwhile are read with it. */
  async function catchUp(): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      for (;;) {
        const page = await feed.page(lastSeq, pageSize)
        if (page.last < lastSeq) {
          reset() // the service began anew
          continue
        }
        const start = Math.max(page.first, page.last - maximumEntries)
        if (lastSeq < start - 1) lastSeq = start - 1
        take(page.records)
        progress = page.last === 0 ? 1 : Math.min(1, lastSeq / page.last)
        if (page.records.length === 0 || lastSeq >= page.last) break
      }
      progress = 1
      for (const listener of listeners) listener([])
    } catch {
      // The connection is gone; reading goes on when it is back.
    } finally {
      isReading = false
    }
  }

  function reset() {
    table.clear()
    near.clear()
    lastSeq = 0
  }

  feed.onRecords((records) => {
    const [first] = records
    if (isReading || !first) return
    if (first.seq > lastSeq + 1) void catchUp()
    else take(records)
  })
  feed.onOpen(() => void catchUp())
  void catchUp()

  return {
    name,
    isLive: true,
    table,
    get progress() {
      return progress
    },
    async record(seq) {
      const entry = near.get(seq)
      if (entry) return entry
      const { records } = await feed.page(seq - 1, 1)
      const [record] = records
      if (record?.seq !== seq) return undefined
      keep(record)
      return record
    },
    async *pages() {
      for (let after = 0; ;) {
        const { records, last } = await feed.page(after, pageSize)
        const end = records.at(-1)
        if (!end) return
        yield records
        after = end.seq
        if (after >= last) return
      }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    ...(feed.clear && {
      async clear() {
        await feed.clear?.()
        const reached = lastSeq
        reset()
        lastSeq = reached
        for (const listener of listeners) listener([])
      },
    }),
  }
}
