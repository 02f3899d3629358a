import { isVisibleTo, type Reader } from '../curation/visibility.ts'
import { entryColumns, readEntry, type StoredEntry } from './entry.ts'
import type { Queries } from './tables.ts'

/** Changes for a reader. */
export interface ChangesPage {
  readonly entries: readonly StoredEntry[]
  /** The number of the last change that was looked at, for whoever it was. */
  readonly last: number
}

/** Versions that have changed after a number, in the order of their last change. */
export async function readChanges(
  queries: Queries,
  after: number,
  limit: number,
  reader: Reader,
): Promise<ChangesPage> {
  const rows = await queries
    .selectFrom('server_versions')
    .select(entryColumns)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()
  const entries = rows.map(readEntry)
  return {
    entries: entries.filter((entry) => isVisibleTo(reader, entry)),
    last: entries.at(-1)?.sequence ?? after,
  }
}

/** The versions that were changed last, the last change first. */
export async function readLastChanges(
  queries: Queries,
  limit: number,
  publisher: string | undefined,
): Promise<readonly StoredEntry[]> {
  const changed = queries
    .selectFrom('server_versions')
    .select(entryColumns)
    .where('hidden', '<>', 2)
    .orderBy('sequence', 'desc')
    .limit(limit)
  const rows = await (
    publisher === undefined
      ? changed
      : changed.where('name', '>', `${publisher}/`).where('name', '<', `${publisher}0`)
  ).execute()
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
