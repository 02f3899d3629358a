import type { Entity, Relation } from './record.ts'
import type { GraphView } from './view.ts'

/** Entities, and the relations that belong to the answer. */
export interface PartOfGraph {
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
}

/** All of it. */
export function wholeGraph({ entities, relations }: GraphView): PartOfGraph {
  return { entities: [...entities.values()], relations: [...relations.values()] }
}

/** The entities that fit, in the order of the file, and every relation with an end among them. */
export function partWhere(view: GraphView, fits: (entity: Entity) => boolean): PartOfGraph {
  const entities = [...view.entities.values()].filter(fits)
  return { entities, relations: relationsOf(view, entities) }
}

/** Relations with at least one end among these. */
export function relationsOf(view: GraphView, entities: readonly Entity[]): readonly Relation[] {
  const names = new Set(entities.map(({ name }) => name))
  if (names.size === 0) return []
  return [...view.relations.values()].filter(({ from, to }) => names.has(from) || names.has(to))
}

/** Whether a text, in any case, occurs in the name, the type or an observation. */
export function matches(query: string): (entity: Entity) => boolean {
  const wanted = query.toLowerCase()
  const has = (text: string) => text.toLowerCase().includes(wanted)
  return ({ name, entityType, observations }) =>
    has(name) || has(entityType) || observations.some(has)
}

/** The names within so many relations of these, and these. */
export function neighbourhood(
  view: GraphView,
  names: Iterable<string>,
  depth: number,
): Set<string> {
  const reached = new Set(names)
  let edge: readonly string[] = [...reached]
  for (let step = 0; step < depth && edge.length > 0; step += 1) {
    const next: string[] = []
    for (const name of edge) {
      for (const line of view.touching(name)) {
        const relation = view.relations.get(line)
        const other = relation?.from === name ? relation.to : relation?.from
        if (other === undefined || reached.has(other)) continue
        reached.add(other)
        next.push(other)
      }
    }
    edge = next
  }
  return reached
}
