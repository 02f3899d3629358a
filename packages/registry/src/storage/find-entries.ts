import { sql } from 'kysely'

import { entryColumns, readEntry, type StoredEntry } from './entry.ts'
import type { Queries } from './tables.ts'

/** All versions of a name, the newest publication first. */
export async function findVersions(
  queries: Queries,
  name: string,
  includeDeleted: boolean,
): Promise<readonly StoredEntry[]> {
  const found = queries
    .selectFrom('server_versions')
    .select(entryColumns)
    .where('name', '=', name)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
  const rows = await (includeDeleted ? found : found.where('status', '<>', 'deleted')).execute()
  return rows.map(readEntry)
}

/** One version; `latest` is the one with the flag. */
export async function findVersion(
  queries: Queries,
  name: string,
  version: string,
  includeDeleted: boolean,
): Promise<StoredEntry | undefined> {
  const ofName = queries.selectFrom('server_versions').select(entryColumns).where('name', '=', name)
  const found =
    version === 'latest'
      ? ofName.where(sql<boolean>`is_latest = 1`)
      : ofName.where('version', '=', version)
  const row = await found.executeTakeFirst()
  if (row === undefined || (row.status === 'deleted' && !includeDeleted)) return undefined
  return readEntry(row)
}
