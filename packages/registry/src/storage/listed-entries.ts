import { sql } from 'kysely'

import type { RegistryDatabase } from './tables.ts'

/** What is known of a listed version without reading its document. */
export interface ListedRow {
  readonly id: number
  /** Words in lower case, with a space at both ends. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** Lines of a facet, a tab and a value. */
  readonly facets: string
}

/** How many of the matches have a value. */
export interface FacetValue {
  readonly value: string
  readonly count: number
}

/** Values of one facet that are told. */
const mostValues = 20

/** Characters of one text that are looked at. */
const mostCharacters = 500

/** A text as it is ranked by: lower case without accents, single spaces between words and at both ends. */
export function plainWords(text: string): string {
  const plain = text.slice(0, mostCharacters).normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return ` ${plain
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

/** Of these ids, in their order. */
export async function readListed(
  { queries, flavour }: RegistryDatabase,
  ids: readonly number[],
): Promise<readonly ListedRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Omit<ListedRow, 'id'> & { readonly id: number | string }>`
    select id, name, title, description, facets from server_listed where id in ${flavour.listIds(ids)}`.execute(
    queries,
  )
  const byId = new Map(rows.map((row) => [Number(row.id), { ...row, id: Number(row.id) }]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Ids, the best first: a word counts most in the name, then in the title, and twice if it is whole. Of equals the newest is first. */
export function rankListed(
  rows: readonly ListedRow[],
  words: readonly string[],
  isNamesOnly: boolean,
): readonly number[] {
  const looks = words.map(plainWords).map((whole) => ({ start: whole.trimEnd(), whole }))
  const scored = rows.map((row) => {
    let score = 0
    for (const look of looks) {
      score += 10 * weigh(row.name, look) + 6 * weigh(row.title, look)
      if (!isNamesOnly) score += 3 * weigh(row.description, look)
    }
    // Of two names with the same words, the shorter one has less besides.
    return { id: row.id, score, length: row.name.length }
  })
  return scored
    .toSorted(
      (one, other) => other.score - one.score || one.length - other.length || other.id - one.id,
    )
    .map(({ id }) => id)
}

function weigh(text: string, { start, whole }: { start: string; whole: string }): number {
  return text.includes(whole) ? 2 : text.includes(start) ? 1 : 0
}

/** How many of the rows have which values. */
export function countFacets(
  rows: readonly ListedRow[],
  names: readonly string[],
): { readonly [facet: string]: readonly FacetValue[] } {
  const counts = new Map<string, number>()
  for (const { facets } of rows) {
    for (const line of facets.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const byFacet = new Map<string, FacetValue[]>(names.map((name) => [name, []]))
  for (const [line, count] of counts) {
    const tab = line.indexOf('\t')
    byFacet.get(line.slice(0, tab))?.push({ value: line.slice(tab + 1), count })
  }
  return Object.fromEntries(
    [...byFacet].map(([name, values]) => [
      name,
      values
        .toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
        .slice(0, mostValues),
    ]),
  )
}
