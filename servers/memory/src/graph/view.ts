import type { Line, LineView } from '@parley/server-kit/store'

import type { Entity, GraphRecord, Relation } from './record.ts'

type GraphLine = Line<GraphRecord>

/** The graph in memory, with what makes looking things up quick. Files of the original may have a name twice. */
export interface GraphView extends LineView<GraphRecord> {
  readonly entities: ReadonlyMap<GraphLine, Entity>
  readonly relations: ReadonlyMap<GraphLine, Relation>
  /** In the order of the file. */
  named(name: string): readonly GraphLine[]
  hasRelation(relation: Relation): boolean
  sameRelations(relation: Relation): readonly GraphLine[]
  /** Those with this name at one end or both. */
  touching(name: string): ReadonlySet<GraphLine>
}

/** An empty graph. */
export function createGraphView(): GraphView {
  const entities = new Map<GraphLine, Entity>()
  const relations = new Map<GraphLine, Relation>()
  const byName = createIndex()
  const byTriple = createIndex()
  const byEnd = createIndex()

  function index(how: 'add' | 'remove', line: GraphLine, record: GraphRecord): void {
    if (record.type === 'entity') return byName[how](record.entity.name, line)
    const { from, to } = record.relation
    byTriple[how](tripleKey(record.relation), line)
    byEnd[how](from, line)
    if (to !== from) byEnd[how](to, line)
  }

  function keep(line: GraphLine, record: GraphRecord): void {
    // A key that is there already keeps its place in a map, and so its place in the answers.
    if (record.type === 'entity') entities.set(line, record.entity)
    else relations.set(line, record.relation)
  }

  return {
    entities,
    relations,
    named: (name) => [...byName.get(name)],
    hasRelation: (relation) => byTriple.get(tripleKey(relation)).size > 0,
    sameRelations: (relation) => [...byTriple.get(tripleKey(relation))],
    touching: (name) => byEnd.get(name),

    add(line, record) {
      keep(line, record)
      index('add', line, record)
    },
    remove(line, record) {
      entities.delete(line)
      relations.delete(line)
      index('remove', line, record)
    },
    replace(line, before, after) {
      index('remove', line, before)
      keep(line, after)
      index('add', line, after)
    },
  }
}

/** One text for the three parts; no parts but the same make the same text. */
export function tripleKey({ from, to, relationType }: Relation): string {
  return JSON.stringify([from, relationType, to])
}

const none: ReadonlySet<GraphLine> = new Set()

/** Lines by a text. Nearly every text has one line, and a set for each would take more room than the graph. */
function createIndex() {
  const lines = new Map<string, GraphLine | Set<GraphLine>>()
  return {
    get(key: string): ReadonlySet<GraphLine> {
      const line = lines.get(key)
      if (line === undefined) return none
      return line instanceof Set ? line : new Set([line])
    },
    add(key: string, line: GraphLine): void {
      const existing = lines.get(key)
      if (existing === undefined) lines.set(key, line)
      else if (existing instanceof Set) existing.add(line)
      else lines.set(key, new Set([existing, line]))
    },
    remove(key: string, line: GraphLine): void {
      const existing = lines.get(key)
      if (existing instanceof Set) existing.delete(line)
      if (existing === line || (existing instanceof Set && existing.size === 0)) lines.delete(key)
    },
  }
}
