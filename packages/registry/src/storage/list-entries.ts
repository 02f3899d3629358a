import { sql, type RawBuilder } from 'kysely'

import { stranger, visibleTo, type Reader } from '../curation/visibility.ts'
import { readEntry, type EntryRow, type StoredEntry } from './entry.ts'
import type { RegistryDatabase } from './tables.ts'

/** Where a page begins: behind this version. */
export interface Position {
  readonly name: string
  readonly version: string
}

/** Which versions, and how many of them. */
export interface ListQuery {
  readonly after?: Position | undefined
  readonly limit: number
  /** A substring of name or description, in any case. */
  readonly search?: string | undefined
  /** ISO 8601 in UTC with milliseconds. */
  readonly updatedSince?: string | undefined
  /** `latest`, or one version. */
  readonly version?: string | undefined
  readonly includeDeleted: boolean
  /** Whose private entries are among them. @defaultValue nobody's */
  readonly reader?: Reader | undefined
}

/** One page, and whether another one follows. */
export interface ListPage {
  readonly entries: readonly StoredEntry[]
  readonly hasMore: boolean
}

/**
 * Up to that many rows are sorted for a page. A filter with more matches than these has one every few rows, so reading
 * rows in their order soon fills a page.
 */
const maxSorted = 2_000

/** Versions in the order of name and version, from a position on. */
export async function listEntries(database: RegistryDatabase, query: ListQuery): Promise<ListPage> {
  const { queries } = database
  const { after, limit, search, updatedSince, version, includeDeleted, reader = stranger } = query
  const conditions = [
    ...(after ? [sql`(v.name, v.version) > (${after.name}, ${after.version})`] : []),
    ...(version === 'latest' ? [sql`v.is_latest = 1`] : []),
    ...(version !== undefined && version !== 'latest' ? [sql`v.version = ${version}`] : []),
    ...(includeDeleted ? [] : [sql`v.status <> 'deleted' and v.hidden <> 1`]),
    ...visibleTo(reader),
    ...(updatedSince === undefined ? [] : [sql`v.updated_at > ${updatedSince}`]),
    ...(search === undefined ? [] : [contains(search)]),
  ]
  const few = await findFew(database, query)
  // A cross join is done in the order it is written in.
  const from = few ? sql`(${few}) c cross join server_versions v` : sql`server_versions v`
  const where = [...(few ? [sql`v.id = c.id`] : []), ...conditions]
  const { rows } = await sql<EntryRow>`
    select v.id, v.name, v.version, v.status, v.status_message, v.status_changed_at, v.published_at, v.updated_at,
      v.is_latest, v.sequence, v.flags, v.source, v.upstream, v.document, v.hidden, v.hidden_reason, v.overlay, v.checks
    from ${from} ${where.length === 0 ? sql`` : sql`where ${sql.join(where, sql` and `)}`}
    order by v.name, v.version limit ${limit + 1}`.execute(queries)
  return { entries: rows.slice(0, limit).map(readEntry), hasMore: rows.length > limit }
}

/** Rows of an index, if it says that there are few. PostgreSQL finds out by itself. */
async function findFew(
  { queries, flavour }: RegistryDatabase,
  { search, updatedSince }: ListQuery,
): Promise<RawBuilder<unknown> | undefined> {
  if (flavour.kind === 'postgres') return undefined
  const candidates = [
    ...(search !== undefined && Array.from(search).length >= 3
      ? [
          sql`select rowid as id from server_substrings where server_substrings match ${quoted(search)}`,
        ]
      : []),
    ...(updatedSince === undefined
      ? []
      : [sql`select id from server_versions where updated_at > ${updatedSince}`]),
  ]
  for (const candidate of candidates) {
    const { rows } = await sql`${candidate} limit ${maxSorted + 1}`.execute(queries)
    if (rows.length <= maxSorted) return candidate
  }
  return undefined
}

/** `%`, `_` and `\` of the input stand for themselves. */
function contains(search: string): RawBuilder<unknown> {
  const literal = search.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
  return sql`v.haystack like ${`%${literal}%`} escape '\\'`
}

/** One phrase of FTS5, whatever is in it. */
function quoted(search: string): string {
  return `"${search.toLowerCase().replaceAll('"', '""')}"`
}
