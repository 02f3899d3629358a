import { Buffer } from 'node:buffer'

import type { Entity } from './record.ts'

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
  const last = after === undefined ? undefined : decodeCursor(after, query)
  if (after !== undefined && last === undefined) return undefined
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found: (Place & { readonly entity: Entity })[] = []
  for (const entity of entities) {
    const score = scoreOf(entity, words, query.toLowerCase().trim())
    const place = { score, name: entity.name, entity }
    if (score > 0 && (!last || compare(place, last) > 0)) found.push(place)
  }
  const page = found.toSorted(compare).slice(0, limit)
  const end = page.at(-1)
  return {
    entities: page.map(({ entity }) => entity),
    ...(end && found.length > page.length && { nextCursor: encodeCursor(end, query) }),
  }
}

function scoreOf(
  { name, entityType, observations }: Entity,
  words: readonly string[],
  whole: string,
) {
  const lowerName = name.toLowerCase()
  const type = entityType.toLowerCase()
  const facts = observations.map((one) => one.toLowerCase())
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

function encodeCursor({ score, name }: Place, query: string): string {
  return Buffer.from(JSON.stringify([score, name, query])).toString('base64url')
}

function decodeCursor(cursor: string, query: string): Place | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (!Array.isArray(parts) || parts[2] !== query) return undefined
    const [score, name]: unknown[] = parts
    return typeof score === 'number' && typeof name === 'string' ? { score, name } : undefined
  } catch {
    return undefined // not one of ours
  }
}
