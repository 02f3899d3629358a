import { sql } from 'kysely'

import { stranger, visibleTo, type Reader } from '../curation/visibility.ts'
import { tellingWords } from '../search/words.ts'
import { readEntry, type EntryRow, type StoredEntry } from './entry.ts'
import { countFacets, readFacets, type FacetValue } from './facet-counts.ts'
import { findMatches } from './find-matches.ts'
import { facetNames } from './search-index.ts'
import type { RegistryDatabase } from './tables.ts'

/** What is looked for among the latest versions. */
export interface SearchQuery {
  /** Words, each also as the beginning of one or with a typo; none matches everything. */
  readonly words: readonly string[]
  /** Values that facets must have. */
  readonly facets: { readonly [facet: string]: string }
  /** The order: by how well the words fit, by when a version was published, or by name. @defaultValue 'best', which is 'newest' without words */
  readonly sort?: SearchOrder | undefined
  readonly limit: number
  readonly offset: number
  /** Whose private entries are among them. @defaultValue nobody's */
  readonly reader?: Reader | undefined
}

/** The orders of results. */
export const searchOrders = ['best', 'newest', 'name'] as const

/** An order of results. */
export type SearchOrder = (typeof searchOrders)[number]

/** What was found. */
export interface SearchResult {
  readonly entries: readonly StoredEntry[]
  /** Matches that were counted. */
  readonly total: number
  /** Whether there are more than these: then the best were taken. */
  readonly hasMore: boolean
  readonly facets: { readonly [facet: string]: readonly FacetValue[] }
}

/** Matches that are counted. A word with more matches says little about which of them is meant. */
const maxCounted = 500

/** Finds servers by words, the best first, and counts what they could be narrowed down by. */
export async function searchEntries(
  database: RegistryDatabase,
  { words, facets, sort = 'best', limit, offset, reader = stranger }: SearchQuery,
): Promise<SearchResult> {
  const query = { facets, reader, limit: maxCounted + 1 }
  const found =
    words.length === 0
      ? await findListed(database, { ...query, sort })
      : await findMatches(database, { ...query, words: tellingWords(words), isNamesOnly: false })
  const counted = found.slice(0, maxCounted)
  const isInOrder = words.length === 0 || sort === 'best'
  const ordered = isInOrder ? counted : await orderIds(database, counted, sort)
  return {
    entries: await readEntries(database, ordered.slice(offset, offset + limit)),
    total: counted.length,
    hasMore: found.length > maxCounted,
    facets:
      counted.length === 0 ? {} : countFacets(await readFacets(database, counted), facetNames),
  }
}

/** Names and titles with words that begin as these do. */
export async function suggestNames(
  database: RegistryDatabase,
  { words, limit, reader = stranger }: Pick<SearchQuery, 'words' | 'limit' | 'reader'>,
): Promise<readonly { readonly name: string; readonly document: string }[]> {
  const query = { words: tellingWords(words), facets: {}, reader, limit, isNamesOnly: true }
  return readEntries(database, await findMatches(database, query))
}

const columnsOf = {
  newest: sql`id desc`,
  name: sql`name, id`,
} as const

/** The matches that were counted, in another order. */
async function orderIds(
  { queries, flavour }: RegistryDatabase,
  ids: readonly number[],
  sort: Exclude<SearchOrder, 'best'>,
): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ readonly id: number | string }>`select id from server_versions
    where id in ${flavour.listIds(ids)} order by ${columnsOf[sort]}`.execute(queries)
  return rows.map((row) => Number(row.id))
}

/** Listed versions with these facets: the newest, or the first by name. */
async function findListed(
  { queries }: RegistryDatabase,
  {
    facets,
    sort,
    reader,
    limit,
  }: {
    readonly facets: SearchQuery['facets']
    readonly sort: SearchOrder
    readonly reader: Reader
    readonly limit: number
  },
): Promise<readonly number[]> {
  const conditions = [
    sql`is_latest = 1 and status <> 'deleted' and hidden <> 1`,
    ...Object.entries(facets).map(
      ([facet, value]) =>
        sql`id in (select id from server_facets where facet = ${facet} and value = ${value})`,
    ),
    ...visibleTo(reader).map(
      (visible) =>
        sql`id not in (select v.id from server_versions v where v.hidden = 2 and not ${visible})`,
    ),
  ]
  const { rows } = await sql<{ readonly id: number | string }>`select id from server_versions
    where ${sql.join(conditions, sql` and `)} order by ${columnsOf[sort === 'name' ? 'name' : 'newest']} limit ${limit}`.execute(
    queries,
  )
  return rows.map((row) => Number(row.id))
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
