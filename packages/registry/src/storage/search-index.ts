import { sql } from 'kysely'

import { readDocument } from '../document/read-document.ts'
import type { ServerDocument } from '../document/server-document.ts'
import { documentTerms } from '../search/document-terms.ts'
import { spellingsOf } from '../search/words.ts'
import type { Flavour, Queries } from './tables.ts'

/** Documents that are listed in one step when the whole index is made again. */
const rebuildBatch = 200

/** Lists a version: it is found by its words and facets. */
export async function addToIndex(
  writing: Queries,
  flavour: Flavour,
  id: number,
  document: ServerDocument,
): Promise<void> {
  const facets = facetsOf(document)
  await writing
    .insertInto('server_facets')
    .values(facets.map(([facet, value]) => ({ id, facet, value })))
    .execute()
  await writing
    .insertInto('server_listed')
    .values({ id, facets: facets.map((pair) => pair.join('\t')).join('\n') })
    .execute()
  const { scores, words } = documentTerms(document)
  await sql`insert into server_terms (id, term, score)
    select ${id}, value ->> 0, cast(value ->> 1 as integer) from ${flavour.eachOf([...scores])}`.execute(
    writing,
  )
  await addWords(writing, flavour, words)
}

/** Words stay when their last document goes: how often one was listed only orders suggestions. */
async function addWords(
  writing: Queries,
  flavour: Flavour,
  words: ReturnType<typeof documentTerms>['words'],
): Promise<void> {
  const rows = [...words].map(
    ([word, { term, isName, isJoined }]) => [word, term, isName ? 1 : 0, isJoined ? 1 : 0] as const,
  )
  const names = rows.filter(([, , inNames]) => inNames === 1).map(([word]) => word)
  const { rows: existing } = await sql<{ readonly word: string }>`
    select word from search_words where in_names = 1
      and word in (select value ->> 0 from ${flavour.eachOf(names.map((word) => [word]))})`.execute(
    writing,
  )
  const isKnown = new Set(existing.map(({ word }) => word))
  const spelled = names
    .filter((word) => !isKnown.has(word))
    .flatMap((word) => spellingsOf(word).map((spelling) => [spelling, word]))
  if (spelled.length > 0) {
    await sql`insert into search_spellings (spelling, word)
      select value ->> 0, value ->> 1 from ${flavour.eachOf(spelled)} where true
      on conflict do nothing`.execute(writing)
  }
  await sql`insert into search_words (word, term, in_names, is_joined, uses)
    select value ->> 0, value ->> 1, cast(value ->> 2 as integer), cast(value ->> 3 as integer), 1 from ${flavour.eachOf(rows)} where true
    on conflict (word) do update set uses = search_words.uses + 1,
      in_names = case when excluded.in_names = 1 then 1 else search_words.in_names end,
      is_joined = case when excluded.is_joined = 0 then 0 else search_words.is_joined end`.execute(
    writing,
  )
}

/** A version that is not the latest, or deleted, is not listed. */
export async function removeFromIndex(writing: Queries, id: number): Promise<void> {
  await sql`delete from server_terms where id = ${id}`.execute(writing)
  await writing.deleteFrom('server_facets').where('id', '=', id).execute()
  await writing.deleteFrom('server_listed').where('id', '=', id).execute()
}

/** Lists everything again, for tables that are new. */
export async function rebuildIndex(writing: Queries, flavour: Flavour): Promise<void> {
  for (const table of ['server_terms', 'server_facets', 'server_listed'] as const) {
    await sql`delete from ${sql.table(table)}`.execute(writing)
  }
  let after = 0
  for (;;) {
    const { rows } = await sql<{ readonly id: number | string; readonly document: string }>`
      select id, document from server_versions where id > ${after} and is_latest = 1
        and status <> 'deleted' and hidden <> 1 order by id limit ${rebuildBatch}`.execute(writing)
    for (const { id, document } of rows) {
      await addToIndex(writing, flavour, Number(id), readDocument(document))
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = Number(last.id)
  }
}

/** What a document is filtered by; every facet has at least one value. */
export function facetsOf(document: ServerDocument): readonly (readonly [string, string])[] {
  const { name, packages = [], remotes = [] } = document
  const transports = [...packages.map(({ transport }) => transport), ...remotes]
  const isAskingSecrets = [
    ...packages.flatMap(({ environmentVariables = [], packageArguments = [] }) => [
      ...environmentVariables,
      ...packageArguments,
    ]),
    ...remotes.flatMap(({ headers = [] }) => headers),
  ].some(({ isSecret }) => isSecret === true)
  const pairs = [
    ...packages.map(({ registryType }) => ['registryType', registryType] as const),
    ...packages.flatMap(({ runtimeHint }) =>
      runtimeHint === undefined ? [] : [['runtime', runtimeHint] as const],
    ),
    ...transports.map(({ type }) => ['transport', type] as const),
    ['remote', remotes.length > 0 ? 'yes' : 'no'] as const,
    ['secrets', isAskingSecrets ? 'yes' : 'no'] as const,
    ['publisher', name.slice(0, name.indexOf('/'))] as const,
  ]
  // A mirrored document may have anything in these.
  const lines = pairs.map(([facet, value]) => [facet, value.replaceAll(/[\t\n]/g, ' ')] as const)
  return [...new Map(lines.map((pair) => [pair.join('\n'), pair])).values()]
}

/** The facets, in the order they are shown. */
export const facetNames = [
  'registryType',
  'transport',
  'runtime',
  'remote',
  'secrets',
  'publisher',
] as const
