import { sql, type RawBuilder } from 'kysely'

import { stranger, visibleTo, type Reader } from '../curation/visibility.ts'
import { readEntry, type EntryRow, type StoredEntry } from './entry.ts'
import {
  countFacets,
  rankListed,
  readListed,
  type FacetValue,
  type ListedRow,
} from './listed-entries.ts'
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
  /** Whose private entries are among them. @defaultValue nobody's */
  readonly reader?: Reader | undefined
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

/** Matches that are ranked. A word with more matches says little about which of them is meant. */
const mostRanked = 500

/** Finds servers by words, the best first, and counts what they could be narrowed down by. */
export async function searchEntries(
  database: RegistryDatabase,
  query: SearchQuery,
): Promise<SearchResult> {
  const found = await findMatches(database, query, 'everywhere')
  const rows = await readListed(database, found.slice(0, mostRanked))
  const ranked = rankMatches(database, rows, query, 'everywhere')
  const page = ranked.slice(query.offset, query.offset + query.limit)
  return {
    entries: await readEntries(database, page),
    total: ranked.length,
    hasMore: found.length > mostRanked,
    facets: ranked.length === 0 ? {} : countFacets(rows, facetNames),
  }
}

/** Names and titles that begin with a text, or have a word that does. */
export async function suggestNames(
  database: RegistryDatabase,
  { words, limit, reader }: Pick<SearchQuery, 'words' | 'limit' | 'reader'>,
): Promise<readonly { readonly name: string; readonly document: string }[]> {
  const query = { words, facets: {}, limit, offset: 0, reader }
  const found = await findMatches(database, query, 'names')
  const rows = await readListed(database, found.slice(0, mostRanked))
  return readEntries(database, rankMatches(database, rows, query, 'names').slice(0, limit))
}

type Where = 'everywhere' | 'names'

/** PostgreSQL has ranked them already. */
function rankMatches(
  { flavour }: RegistryDatabase,
  rows: readonly ListedRow[],
  { words }: SearchQuery,
  where: Where,
): readonly number[] {
  if (flavour.kind === 'postgres' || words.length === 0) return rows.map(({ id }) => id)
  return rankListed(rows, words, where === 'names')
}

/** Ids; one more than are ranked if there are more. */
async function findMatches(
  database: RegistryDatabase,
  { words, facets, reader = stranger }: SearchQuery,
  where: Where,
): Promise<readonly number[]> {
  const { queries, flavour } = database
  // The plus keeps FTS5 from making a search of its own for each id.
  const id = flavour.kind === 'sqlite' && words.length > 0 ? sql`+rowid` : sql`id`
  const also = [
    ...Object.entries(facets).map(
      ([facet, value]) =>
        sql`and ${id} in (select id from server_facets where facet = ${facet} and value = ${value})`,
    ),
    ...visibleTo(reader).map(
      (visible) =>
        sql`and ${id} not in (select v.id from server_versions v where v.hidden = 2 and not ${visible})`,
    ),
  ]
  const rest = also.length === 0 ? sql`` : sql.join(also, sql` `)
  const idsOf = async (statement: RawBuilder<{ id: number | string }>) =>
    (await statement.execute(queries)).rows.map((row) => Number(row.id))
  const most = mostRanked + 1
  if (words.length === 0) {
    return idsOf(sql`select id from server_versions
      where is_latest = 1 and status <> 'deleted' and hidden <> 1 ${rest} order by id desc limit ${most}`)
  }
  if (flavour.kind === 'postgres') return idsOf(rankInPostgres(words, where, rest, most))
  const newest = (match: string) =>
    idsOf(sql`select rowid as id from server_words
      where server_words match ${where === 'names' ? `{name title} : (${match})` : match} ${rest}
      order by rowid desc limit ${most}`)
  // Whole words are read newest first, as far as needed. Beginnings of words are many lists that have to be merged: only if there are too few.
  const whole = await newest(words.map((word) => `"${word}"`).join(' AND '))
  if (whole.length >= most) return whole
  return newest(words.map((word) => `"${word}"*`).join(' AND '))
}

function rankInPostgres(
  words: readonly string[],
  where: Where,
  also: RawBuilder<unknown>,
  most: number,
): RawBuilder<{ id: number | string }> {
  const weight = where === 'names' ? 'AB' : ''
  const match = words.map((word) => `'${word}':*${weight}`).join(' & ')
  const exact = words.map((word) => `'${word}'`).join(' | ')
  return sql`with newest as materialized (
      select id, words from server_words where words @@ to_tsquery('simple', ${match}) ${also}
      order by id desc limit ${most})
    select id from newest order by ts_rank('{0.05, 0.3, 0.6, 1.0}', words, to_tsquery('simple', ${match}))
      + ts_rank('{0.05, 0.3, 0.6, 1.0}', words, to_tsquery('simple', ${exact})) desc, id desc`
}

/** In the order of the ids. */
async function readEntries(
  { queries, flavour }: RegistryDatabase,
  ids: readonly number[],
): Promise<readonly StoredEntry[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<EntryRow>`
    select id, name, version, status, status_message, status_changed_at, published_at, updated_at, is_latest,
      sequence, flags, source, upstream, document, hidden, hidden_reason, overlay, checks
    from server_versions where id in ${flavour.listIds(ids)}`.execute(queries)
  const entries = new Map(rows.map((row) => [Number(row.id), readEntry(row)]))
  return ids.flatMap((id) => entries.get(id) ?? [])
}
