import type { LongTexts } from './long-texts.ts'
import type { ObjectDatabase } from './object-database.ts'
import { ownerOf } from './object-records.ts'
import { dropStream } from './object-streams.ts'

const tables = ['parley_records', 'parley_streams', 'parley_marks', 'parley_budgets'] as const

/** Deletes what is not kept any more, and returns when the next thing has to be deleted. */
export function sweepDatabase(database: ObjectDatabase, long: LongTexts): number | undefined {
  const { rows, now } = database
  const time = now()
  const records = 'DELETE FROM parley_records WHERE kept_until <= ? RETURNING place, parts'
  for (const { place, parts } of rows<{ place: number; parts: number }>(records, time)) {
    long.drop(ownerOf(place), parts)
  }
  const streams = 'SELECT place FROM parley_streams WHERE kept_until <= ?'
  for (const { place } of rows<{ place: number }>(streams, time)) dropStream(database, place)
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
