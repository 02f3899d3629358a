import { sql } from 'kysely'

import type { RegistryDatabase } from './tables.ts'

/** How many of the matches have a value. */
export interface FacetValue {
  readonly value: string
  readonly count: number
}

/** Values of one facet that are told. */
const maxValues = 20

/** The facets of these ids. */
export async function readFacets(
  { queries, flavour }: RegistryDatabase,
  ids: readonly number[],
): Promise<readonly string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ readonly facets: string }>`
    select facets from server_listed where id in ${flavour.listIds(ids)}`.execute(queries)
  return rows.map(({ facets }) => facets)
}

/** How many of the texts of `readFacets` have which values. */
export function countFacets(
  texts: readonly string[],
  names: readonly string[],
): { readonly [facet: string]: readonly FacetValue[] } {
  const counts = new Map<string, number>()
  for (const facets of texts) {
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
        .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
        .slice(0, maxValues),
    ]),
  )
}
