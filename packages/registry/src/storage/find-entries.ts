import { sql } from 'kysely'

import { isVisibleTo, type Reader } from '../curation/visibility.ts'
import { entryColumns, isListed, readEntry, type StoredEntry } from './entry.ts'
import type { Queries } from './tables.ts'

/** All versions of a name, the newest publication first. */
export async function findVersions(
  queries: Queries,
  name: string,
  includeDeleted: boolean,
  reader: Reader = 'all',
): Promise<readonly StoredEntry[]> {
  const found = queries
    .selectFrom('server_versions')
    .select(entryColumns)
    .where('name', '=', name)
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
  const rows = await found.execute()
  const entries = rows.map(readEntry).filter((entry) => isVisibleTo(reader, entry))
  return includeDeleted ? entries : entries.filter(isListed)
}

/** One version; `latest` is the one with the flag. */
export async function findVersion(
  queries: Queries,
  name: string,
  version: string,
  includeDeleted: boolean,
  reader: Reader = 'all',
): Promise<StoredEntry | undefined> {
  const ofName = queries.selectFrom('server_versions').select(entryColumns).where('name', '=', name)
  const found =
    version === 'latest'
      ? ofName.where(sql<boolean>`is_latest = 1`)
      : ofName.where('version', '=', version)
  const row = await found.executeTakeFirst()
  const entry = row && readEntry(row)
  if (entry === undefined || !isVisibleTo(reader, entry)) return undefined
  return includeDeleted || isListed(entry) ? entry : undefined
}
