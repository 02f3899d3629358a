import { decodeCursor, encodeCursor } from '@parley/server-kit/tools'

import type { Entity } from '../graph/record.ts'

/** Some of the entities that fit, best first. */
interface Page {
  readonly entities: readonly Entity[]
  readonly nextCursor?: string
}
interface Place {
  readonly score: number
  readonly name: string
}

/**
 * The best entities for a query: every word of it must occur somewhere. Names count more than types, types more than
 * facts. A cursor is the place of the last entity, so that what is added meanwhile moves nothing. Undefined for a cursor
 * of another query.
 */
export function pageOf(
  entities: Iterable<Entity>,
  query: string,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): Page | undefined {
  const last = after === undefined ? undefined : placeOf(after, query)
  if (after !== undefined && last === undefined) return undefined
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found: (Place & { readonly entity: Entity })[] = []
  for (const entity of entities) {
    const score = scoreOf(entity, words, query.toLowerCase().trim())
    const entry = { score, name: entity.name, entity }
    if (score > 0 && (!last || compare(entry, last) > 0)) found.push(entry)
  }
  const page = found.toSorted(compare).slice(0, limit)
  const end = page.at(-1)
  return {
    entities: page.map(({ entity }) => entity),
    ...(end &&
      found.length > page.length && { nextCursor: encodeCursor(end.score, end.name, query) }),
  }
}

function scoreOf(
  { name, entityType, observations }: Entity,
  words: readonly string[],
  whole: string,
) {
  const lowerName = name.toLowerCase()
  const type = entityType.toLowerCase()
  const facts = observations.map((observation) => observation.toLowerCase())
  let score = lowerName === whole ? 100 : lowerName.startsWith(whole) ? 20 : 1
  for (const word of words) {
    const inFacts = facts.filter((fact) => fact.includes(word)).length
    const here = (lowerName.includes(word) ? 10 : 0) + (type.includes(word) ? 5 : 0) + inFacts
    if (here === 0) return 0
    score += here
  }
  return score
}

function compare(a: Place, b: Place): number {
  return b.score - a.score || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}

function placeOf(cursor: string, query: string): Place | undefined {
  const [score, name, of] = decodeCursor(cursor)
  if (typeof score !== 'number' || typeof name !== 'string' || of !== query) return undefined
  return { score, name }
}
