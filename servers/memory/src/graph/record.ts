import { isJsonObject } from '@parley/mcp/json'
import type { Parsed } from '@parley/server-kit/store'

/** Something that is remembered. */
export interface Entity {
  readonly name: string
  readonly entityType: string
  readonly observations: readonly string[]
}

/** How one entity stands to another, in active voice. */
export interface Relation {
  readonly from: string
  readonly to: string
  readonly relationType: string
}

/** One line of the file. */
export type GraphRecord =
  | { readonly type: 'entity'; readonly entity: Entity }
  | { readonly type: 'relation'; readonly relation: Relation }

/** What a line of JSON means. Lines of other types belong to somebody else. */
export function parseRecord(value: unknown): Parsed<GraphRecord> {
  if (!isJsonObject(value)) return { kind: 'unreadable' }
  const { type, name, entityType, observations, from, to, relationType } = value
  if (type === 'entity') {
    if (typeof name !== 'string' || typeof entityType !== 'string' || !isTexts(observations)) {
      return { kind: 'unreadable' }
    }
    return { kind: 'record', value: entityRecord({ name, entityType, observations }) }
  }
  if (type === 'relation') {
    if (typeof from !== 'string' || typeof to !== 'string' || typeof relationType !== 'string') {
      return { kind: 'unreadable' }
    }
    return { kind: 'record', value: relationRecord({ from, to, relationType }) }
  }
  return { kind: typeof type === 'string' ? 'foreign' : 'unreadable' }
}

/** The line of a record, with the members in the order the original program writes them. */
export function encodeRecord(record: GraphRecord): object {
  if (record.type === 'entity') {
    const { name, entityType, observations } = record.entity
    return { type: 'entity', name, entityType, observations }
  }
  const { from, to, relationType } = record.relation
  return { type: 'relation', from, to, relationType }
}

/** A record of an entity. */
export function entityRecord(entity: Entity): GraphRecord {
  return { type: 'entity', entity }
}

/** A record of a relation. */
export function relationRecord(relation: Relation): GraphRecord {
  return { type: 'relation', relation }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((candidate) => typeof candidate === 'string')
}
