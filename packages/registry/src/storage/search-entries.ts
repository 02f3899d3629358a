import { sql, type RawBuilder } from 'kysely'

import { readEntry, type EntryRow, type StoredEntry } from './entry.ts'
import { facetNames } from './search-index.ts'
import type { RegistryDatabase } from './tables.ts'

/** What is looked for among the latest versions. */
export interface SearchQuery {
  /** Words, each at least the beginning of one that is there; none matches everything. */
  readonly words: readonly string[]
  /** Values that facets must have. */
  readonly facets: { readonly [facet: string]: string }
  readonly limit: number
  readonly offset: number
}

/** What was found. */
export interface SearchResult {
  readonly entries: readonly StoredEntry[]
  /** Matches that were ranked and counted. */
  readonly total: number
  /** Whether there are more than these: then the newest were taken. */
  readonly hasMore: boolean
  readonly facets: { readonly [facet: string]: readonly FacetValue[] }
}

/** How many of the matches have a value. */
export interface FacetValue {
  readonly value: string
  readonly count: number
}

/** Matches that are ranked. A word with more matches says little about which of them is meant. */
const mostRanked = 500
const mostValues = 20

/** Finds servers by words, the best first, and counts what they could be narrowed down by. */
export async function searchEntries(
  database: RegistryDatabase,
  query: SearchQuery,
): Promise<SearchResult> {
  const { queries } = database
  const ranked = await rankMatches(database, query)
  const ids = ranked.slice(0, mostRanked)
  const page = ids.slice(query.offset, query.offset + query.limit)
  if (ids.length === 0) return { entries: [], total: 0, hasMore: false, facets: {} }
  const { rows } = await sql<EntryRow>`
    select id, name, version, status, status_message, status_changed_at, published_at, updated_at, is_latest,
      sequence, flags, source, upstream, document
    from server_versions where id in ${list(page.length === 0 ? [-1] : page)}`.execute(queries)
  const entries = new Map(rows.map((row) => [Number(row.id), readEntry(row)]))
  return {
    entries: page.flatMap((id) => entries.get(id) ?? []),
    total: ids.length,
    hasMore: ranked.length > mostRanked,
    facets: await countFacets(database, ids),
  }
}

/** Names and titles that begin with a text, or have a word that does. */
export async function suggestNames(
  database: RegistryDatabase,
  words: readonly string[],
  limit: number,
): Promise<readonly { readonly name: string; readonly document: string }[]> {
  const query = { words, facets: {}, limit, offset: 0 }
  const ranked = await rankMatches(database, query, 'names')
  if (ranked.length === 0) return []
  const ids = ranked.slice(0, limit)
  const rows = await database.queries
    .selectFrom('server_versions')
    .select(['id', 'name', 'document'])
    .where(sql<boolean>`id in ${list(ids)}`)
    .execute()
  return ids.flatMap((id) => rows.find((row) => Number(row.id) === id) ?? [])
}

/** Ids, the best first; one more than are ranked if there are more. */
async function rankMatches(
  { queries, flavour }: RegistryDatabase,
  { words, facets }: SearchQuery,
  where: 'everywhere' | 'names' = 'everywhere',
): Promise<readonly number[]> {
  const narrowed = Object.entries(facets).map(
    ([facet, value]) =>
      sql`id in (select id from server_facets where facet = ${facet} and value = ${value})`,
  )
  const also = narrowed.length === 0 ? sql`` : sql`and ${sql.join(narrowed, sql` and `)}`
  const most = mostRanked + 1
  const statement =
    words.length === 0
      ? sql<{ id: number | string }>`select id from server_versions
          where is_latest = 1 and status <> 'deleted' ${also} order by id desc limit ${most}`
      : flavour.kind === 'sqlite'
        ? rankInSqlite(words, where, also, most)
        : rankInPostgres(words, where, also, most)
  const { rows } = await statement.execute(queries)
  return rows.map(({ id }) => Number(id))
}

/** The newest of the matches, ranked: a word that everybody uses must not cost more than others. */
function rankInSqlite(
  words: readonly string[],
  where: 'everywhere' | 'names',
  also: RawBuilder<unknown>,
  most: number,
): RawBuilder<{ id: number | string }> {
  const within = (all: string) => (where === 'names' ? `{name title} : (${all})` : all)
  const found = within(words.map((word) => `"${word}"*`).join(' AND '))
  // A whole word counts twice.
  const match = within(words.map((word) => `("${word}" OR "${word}"*)`).join(' AND '))
  const narrowed = sql`(select rowid as id from server_words where server_words match ${found})`
  const newest = sql`select id from ${narrowed} m where true ${also} order by id desc limit ${most}`
  // The plus keeps FTS5 from making a search of its own for each id.
  return sql`with newest as materialized (${newest})
    select rowid as id from server_words
    where server_words match ${match} and rowid >= (select min(id) from newest) and +rowid in (select id from newest)
    order by bm25(server_words, 10.0, 6.0, 3.0, 1.0), rowid desc`
}

function rankInPostgres(
  words: readonly string[],
  where: 'everywhere' | 'names',
  also: RawBuilder<unknown>,
  most: number,
): RawBuilder<{ id: number | string }> {
  const weight = where === 'names' ? 'AB' : ''
  const match = words.map((word) => `'${word}':*${weight}`).join(' & ')
  const exact = words.map((word) => `'${word}'`).join(' | ')
  // The plus keeps FTS5 from making a search of its own for each id.
  return sql`with newest as materialized (
      select id, words from server_words where words @@ to_tsquery('simple', ${match}) ${also}
      order by id desc limit ${most})
    select id from newest order by ts_rank('{0.05, 0.3, 0.6, 1.0}', words, to_tsquery('simple', ${match}))
      + ts_rank('{0.05, 0.3, 0.6, 1.0}', words, to_tsquery('simple', ${exact})) desc, id desc`
}

async function countFacets(
  { queries }: RegistryDatabase,
  ids: readonly number[],
): Promise<SearchResult['facets']> {
  const { rows } = await sql<{ facet: string; value: string; count: number | string }>`
    select facet, value, count(*) as count from server_facets where id in ${list(ids)}
    group by facet, value order by count(*) desc, value`.execute(queries)
  return Object.fromEntries(
    facetNames.map((facet) => [
      facet,
      rows
        .filter((row) => row.facet === facet)
        .slice(0, mostValues)
        .map(({ value, count }) => ({ value, count: Number(count) })),
    ]),
  )
}

/** Written out: both databases have a limit for parameters, and these are our own numbers. */
function list(ids: readonly number[]): RawBuilder<unknown> {
  return sql.raw(`(${ids.map((id) => Math.trunc(id)).join(',')})`)
}
