/**
 * Finds the listed versions that fit all words of a search, the best first.
 *
 * Each version has a score for each of its terms, computed when it was listed (`search/document-terms.ts`). A word of the
 * search stands for several terms: its own at full worth, those of words that begin with it, and, if there are none of
 * these, those of words that are one typo away. Neighbours are tried as one word too: `file system` finds `filesystem`.
 *
 * The work is bounded however many versions there are: the list with the fewest matches is read from its best end, and
 * the other words are looked up for what it has. Both databases run the same statements, on plain tables; nothing is kept
 * in the process, so that several processes on one database agree. Used by `search-entries.ts`.
 */
import { sql, type RawBuilder } from 'kysely'

import { visibleTo, type Reader } from '../curation/visibility.ts'
import { differsByOneEdit } from '../document/look-alike.ts'
import { nameScore } from '../search/document-terms.ts'
import { joinedPairs, spellingsOf, stemOf } from '../search/words.ts'
import type { RegistryDatabase } from './tables.ts'

/** What matches must have. */
export interface MatchQuery {
  readonly words: readonly string[]
  readonly facets: { readonly [facet: string]: string }
  readonly reader: Reader
  /** Only matches in name or title count. */
  readonly isNamesOnly: boolean
  readonly limit: number
}

/** A term that a word stands for, and how much of its score counts, in percent. */
interface Alternative {
  readonly term: string
  readonly percent: number
}

/** A word with this many matches needs no beginnings of words. */
const manyMatches = 500
/** A word with fewer matches may be a typo. */
const fewMatches = 20
/** Words that begin alike, the most used ones. */
const maxBeginnings = 16
/** Corrections of one word. */
const maxCorrections = 4
/** Rows of the shortest list: first a few, and many if these do not lead to enough matches. */
const depths = [2_000, 50_000]

/** Ids of matches, the best first, of equals the newest. `words` must not be empty. */
export async function findMatches(
  database: RegistryDatabase,
  query: MatchQuery,
): Promise<readonly number[]> {
  const best = new Map<number, number>()
  for (const words of await readings(database, query.words)) {
    const lists: (readonly Alternative[])[] = []
    for (const word of words) lists.push(await alternativesOf(database, word, query.isNamesOnly))
    for (const { id, score } of await rank(database, lists, query)) {
      best.set(id, Math.max(best.get(id) ?? 0, score / words.length))
    }
  }
  return [...best]
    .toSorted(([id, score], [otherId, otherScore]) => otherScore - score || otherId - id)
    .slice(0, query.limit)
    .map(([id]) => id)
}

/** The words as they are, and with two neighbours as one word wherever the catalogue has that word. */
async function readings(
  { queries, flavour }: RegistryDatabase,
  words: readonly string[],
): Promise<readonly (readonly string[])[]> {
  if (words.length < 2) return [words]
  const pairs = joinedPairs(words)
  const { rows } = await sql<{ readonly word: string }>`select word from search_words
    where word in (select value ->> 0 from ${flavour.eachOf(pairs.map((pair) => [pair]))})`.execute(
    queries,
  )
  const knownWords = new Set(rows.map(({ word }) => word))
  const joined = pairs.flatMap((pair, at) =>
    knownWords.has(pair) ? [words.toSpliced(at, 2, pair)] : [],
  )
  return [words, ...joined]
}

async function alternativesOf(
  database: RegistryDatabase,
  word: string,
  isNamesOnly: boolean,
): Promise<readonly Alternative[]> {
  const own = { term: stemOf(word), percent: 100 }
  const count = await countMatches(database, [own], manyMatches)
  if (count >= manyMatches && !isNamesOnly) return [own]
  const begun = (await wordsBeginningWith(database, word)).filter(({ term }) => term !== own.term)
  const whole = begun.filter(({ isJoined }) => !isJoined)
  // A word that has such an end is still being typed.
  if (whole.length > 0 || count >= fewMatches) return [own, ...asAlternatives(begun, 70)]
  const corrected = await corrections(database, word)
  const terms = new Set([own, ...begun].map(({ term }) => term))
  const fresh = corrected.filter(({ term }) => !terms.has(term))
  return [own, ...asAlternatives(fresh, 50), ...asAlternatives(begun, 40)]
}

function asAlternatives(
  words: readonly { readonly term: string }[],
  percent: number,
): readonly Alternative[] {
  return words.map(({ term }) => ({ term, percent }))
}

async function countMatches(
  { queries }: RegistryDatabase,
  alternatives: readonly Alternative[],
  limit: number,
): Promise<number> {
  const terms = sql.join(alternatives.map(({ term }) => term))
  const { rows } = await sql<{ readonly count: number | string }>`select count(*) as count from
    (select 1 as found from server_terms where term in (${terms}) limit ${limit}) limited`.execute(
    queries,
  )
  return Number(rows[0]?.count ?? 0)
}

async function wordsBeginningWith(
  { queries }: RegistryDatabase,
  word: string,
): Promise<readonly { readonly term: string; readonly isJoined: boolean }[]> {
  const { rows } = await sql<{ readonly term: string; readonly joined: number }>`
    select term, min(is_joined) as joined from search_words
    where word >= ${word} and word < ${`${word}\u{10ffff}`}
    group by term order by min(is_joined), sum(uses) desc, term limit ${maxBeginnings}`.execute(
    queries,
  )
  return rows.map(({ term, joined }) => ({ term, isJoined: joined === 1 }))
}

/** Terms of words in names that one typo makes from this word, the most used first. */
async function corrections(
  { queries, flavour }: RegistryDatabase,
  word: string,
): Promise<readonly { readonly term: string }[]> {
  const spellings = spellingsOf(word)
  if (spellings.length === 0) return []
  const { rows } = await sql<{ readonly word: string; readonly term: string }>`
    select distinct w.word, w.term, w.uses from search_spellings s join search_words w on w.word = s.word
    where s.spelling in (select value ->> 0 from ${flavour.eachOf(spellings.map((spelling) => [spelling]))})
    order by w.uses desc, w.word limit 200`.execute(queries)
  const near = rows.filter((row) => differsByOneEdit(row.word, word))
  return [...new Map(near.map((row) => [row.term, row])).values()].slice(0, maxCorrections)
}

interface Ranked {
  readonly id: number
  readonly score: number
}

/** Matches of all lists. Begins with the shortest, and looks up the others for what it has. */
async function rank(
  database: RegistryDatabase,
  lists: readonly (readonly Alternative[])[],
  query: MatchQuery,
): Promise<readonly Ranked[]> {
  const [first = []] = lists
  const facets = Object.entries(query.facets)
  let driver: readonly Alternative[] | readonly [facet: string, value: string] = first
  if (lists.length + facets.length > 1) {
    let shortest = Infinity
    const max = depths[0] ?? 0
    for (const list of lists) {
      const count = await countMatches(database, list, max + 1)
      if (count < shortest) [shortest, driver] = [count, list]
    }
    for (const pair of facets) {
      const count = await countFacet(database, pair, max + 1)
      if (count < shortest) [shortest, driver] = [count, pair]
    }
    if (shortest === 0) return []
  }
  for (const depth of depths) {
    const ranked = await rankFrom(database, driver, { lists, depth, query })
    const isDeepEnough = lists.length + facets.length === 1 || ranked.length >= query.limit
    if (isDeepEnough || depth === depths.at(-1)) return ranked
    const isWhole = isFacet(driver)
      ? (await countFacet(database, driver, depth + 1)) <= depth
      : (await countMatches(database, driver, depth + 1)) <= depth
    if (isWhole) return ranked
  }
  return []
}

type Driver = readonly Alternative[] | readonly [facet: string, value: string]

function isFacet(driver: Driver): driver is readonly [string, string] {
  return typeof driver[0] === 'string'
}

async function countFacet(
  { queries }: RegistryDatabase,
  [facet, value]: readonly [string, string],
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ readonly count: number | string }>`select count(*) as count from
    (select 1 as found from server_facets where facet = ${facet} and value = ${value} limit ${limit}) limited`.execute(
    queries,
  )
  return Number(rows[0]?.count ?? 0)
}

async function rankFrom(
  { queries }: RegistryDatabase,
  driver: Driver,
  {
    lists,
    depth,
    query,
  }: {
    readonly lists: readonly (readonly Alternative[])[]
    readonly depth: number
    readonly query: MatchQuery
  },
): Promise<readonly Ranked[]> {
  const { facets, reader, isNamesOnly, limit } = query
  const scores = lists
    .filter((list) => list !== driver)
    .map((list, at) => ({ name: sql.ref(`score_${at}`), value: scoreIn(list, isNamesOnly) }))
  const conditions = [
    ...scores.map(({ name }) => sql`${name} is not null`),
    ...Object.entries(facets).map(
      ([facet, value]) =>
        sql`exists (select 1 from server_facets f where f.id = ranked.id and f.facet = ${facet} and f.value = ${value})`,
    ),
    ...visibleTo(reader).map(
      (visible) =>
        sql`ranked.id not in (select v.id from server_versions v where v.hidden = 2 and not ${visible})`,
    ),
  ]
  const columns = scores.map(({ name, value }) => sql`, (${value}) as ${name}`)
  const total = sql.join([sql`score`, ...scores.map(({ name }) => name)], sql` + `)
  const { rows } = await sql<{ readonly id: number | string; readonly total: number | string }>`
    select id, ${total} as total from (
      select d.id, d.score ${columns.length === 0 ? sql`` : sql.join(columns, sql` `)}
      from (${isFacet(driver) ? facetList(driver, depth) : termList(driver, isNamesOnly, depth)}) d) ranked
    ${conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`}
    order by total desc, id desc limit ${limit}`.execute(queries)
  return rows.map((row) => ({ id: Number(row.id), score: Number(row.total) }))
}

/** The best of each term, an id once. */
function termList(
  list: readonly Alternative[],
  isNamesOnly: boolean,
  depth: number,
): RawBuilder<unknown> {
  const each = Math.max(200, Math.floor(depth / list.length))
  const parts = list.map(
    ({
      term,
      percent,
    }) => sql`select * from (select id, ${worth(percent)} as score from server_terms
      where term = ${term} ${isNamesOnly ? sql`and score >= ${nameScore}` : sql``}
      order by term desc, server_terms.score desc, id desc limit ${each}) part`,
  )
  return list.length === 1
    ? sql.join(parts)
    : sql`select id, max(score) as score from (${sql.join(parts, sql` union all `)}) parts group by id`
}

function facetList([facet, value]: readonly [string, string], depth: number): RawBuilder<unknown> {
  return sql`select id, 0 as score from server_facets where facet = ${facet} and value = ${value}
    order by facet desc, value desc, id desc limit ${depth}`
}

/** The score of one version, by its best term of a list; null without any. */
function scoreIn(list: readonly Alternative[], isNamesOnly: boolean): RawBuilder<unknown> {
  const cases = list.map(({ term, percent }) => sql`when ${term} then ${worth(percent)}`)
  return sql`select max(case t.term ${sql.join(cases, sql` `)} end) from server_terms t where t.id = d.id
    and t.term in (${sql.join(list.map(({ term }) => term))}) ${isNamesOnly ? sql`and t.score >= ${nameScore}` : sql``}`
}

/** Written out: it is a number of ours, and PostgreSQL would take a parameter for a text. */
function worth(percent: number): RawBuilder<unknown> {
  return percent === 100 ? sql`score` : sql`score * ${sql.raw(String(percent))} / 100`
}
