import { sql } from 'kysely'

import { entryColumns, readEntry, type StoredEntry } from './entry.ts'
import type { Queries } from './tables.ts'

/** Entries that are shown at once. */
const most = 100

/** The latest versions of names at whose publication something was noticed, such as that they look like another one; the newest first. */
export async function listFlagged(
  queries: Queries,
  name: string | undefined,
): Promise<readonly StoredEntry[]> {
  const flagged = queries
    .selectFrom('server_versions')
    .select(entryColumns)
    .where('flags', 'is not', null)
    .where(sql<boolean>`is_latest = 1`)
    .orderBy('id', 'desc')
    .limit(most)
  const rows = await (name === undefined ? flagged : flagged.where('name', '=', name)).execute()
  return rows.map(readEntry)
}
