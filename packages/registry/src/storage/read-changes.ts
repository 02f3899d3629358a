import { entryColumns, readEntry, type StoredEntry } from './entry.ts'
import type { Queries } from './tables.ts'

/** Versions that have changed after a number, in the order of their last change. */
export async function readChanges(
  queries: Queries,
  after: number,
  limit: number,
): Promise<readonly StoredEntry[]> {
  const rows = await queries
    .selectFrom('server_versions')
    .select(entryColumns)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
  return rows.map(readEntry)
}

/** The number of the last change of all. */
export async function readSequence(queries: Queries): Promise<number> {
  const clock = await queries
    .selectFrom('registry_clock')
    .select('sequence')
    .executeTakeFirstOrThrow()
  return Number(clock.sequence)
}
