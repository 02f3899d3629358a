import type { Health } from '@parley/mcp/http'

import type { ObjectStorage } from './cloudflare-types.ts'
import type { LongTexts } from './long-texts.ts'
import type { ObjectDatabase } from './object-database.ts'
import { ownerOf } from './object-records.ts'
import type { DurableObjectStore } from './object-store.ts'
import { dropStream } from './object-streams.ts'

/** Shorter than the time after which the runtime takes an unused object out of memory. */
const awakeMs = 20_000
/** Sweeping more often costs more than it frees. */
const sweepEveryMs = 60_000

/** Keeps an object in memory while it works, and its storage small when it does not. */
export interface ObjectUpkeep {
  /** There was a request. */
  wake(): void
  /** There is work that goes on after its request. */
  waitUntil(work: Promise<unknown>): void
  /** Called by the runtime at the time that was set. */
  alarm(): Promise<void>
}

/** An object whose requests are all answered is taken out of memory after a while, unless an alarm calls it. */
export function createObjectUpkeep(
  storage: Pick<ObjectStorage, 'setAlarm'>,
  store: Pick<DurableObjectStore, 'sweep'>,
  health: () => Pick<Health, 'inFlight'>,
): ObjectUpkeep {
  let running = 0
  let nextAt = Infinity

  async function callAt(at: number): Promise<void> {
    if (nextAt <= at) return
    nextAt = at
    await storage.setAlarm(at)
  }

  function callSoon(): void {
    void callAt(Date.now() + awakeMs)
  }

  return {
    wake: callSoon,
    waitUntil(work) {
      running += 1
      callSoon()
      const end = (): void => void (running -= 1)
      work.then(end, end)
    },
    async alarm() {
      nextAt = Infinity
      const sweepAt = store.sweep()
      const isBusy = running > 0 || health().inFlight > 0
      if (isBusy) await callAt(Date.now() + awakeMs)
      else if (sweepAt !== undefined) await callAt(Math.max(sweepAt, Date.now() + sweepEveryMs))
    },
  }
}

const tables = ['parley_records', 'parley_streams', 'parley_marks', 'parley_budgets'] as const

/** Deletes what is not kept any more, and returns when the next thing has to be deleted. */
export function sweepDatabase(database: ObjectDatabase, long: LongTexts): number | undefined {
  const { rows, now } = database
  const time = now()
  const records = 'DELETE FROM parley_records WHERE kept_until <= ? RETURNING position, parts'
  for (const { position, parts } of rows<{ position: number; parts: number }>(records, time)) {
    long.drop(ownerOf(position), parts)
  }
  const streams = 'SELECT position FROM parley_streams WHERE kept_until <= ?'
  for (const { position } of rows<{ position: number }>(streams, time))
    dropStream(database, position)
  rows('DELETE FROM parley_marks WHERE kept_until <= ?', time)
  rows('DELETE FROM parley_budgets WHERE kept_until <= ?', time)
  return earliest(database)
}

function earliest({ rows }: ObjectDatabase): number | undefined {
  const found = tables.flatMap((table) =>
    rows<{ until: number | null }>(`SELECT min(kept_until) AS until FROM ${table}`),
  )
  const times = found.flatMap(({ until }) => (until === null ? [] : [until]))
  return times.length === 0 ? undefined : Math.min(...times)
}
