import { ToolError } from '@parley/mcp'
import type { LineStore } from '@parley/server-kit/store'

import {
  entityRecord,
  relationRecord,
  type Entity,
  type GraphRecord,
  type Relation,
} from './record.ts'
import { tripleKey, type GraphView } from './view.ts'

/** A knowledge graph: what the tools of the reference server do. */
export interface Graph {
  readonly store: LineStore<GraphRecord, GraphView>
  createEntities(entities: readonly Entity[]): Promise<readonly Entity[]>
  createRelations(relations: readonly Relation[]): Promise<readonly Relation[]>
  addObservations(
    additions: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
  ): Promise<
    readonly { readonly entityName: string; readonly addedObservations: readonly string[] }[]
  >
  deleteEntities(names: readonly string[]): Promise<void>
  deleteObservations(
    deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
  ): Promise<void>
  deleteRelations(relations: readonly Relation[]): Promise<void>
}

/** The graph in a store. */
export function createGraph(store: LineStore<GraphRecord, GraphView>): Graph {
  return {
    store,

    createEntities: (entities) =>
      store.change((view, edit) => {
        const seen = new Set<string>()
        const created = entities.filter(({ name }) => {
          const isNew = !seen.has(name) && view.named(name).length === 0
          seen.add(name)
          return isNew
        })
        for (const entity of created) edit.add(entityRecord(entity))
        return created
      }),

    createRelations: (relations) =>
      store.change((view, edit) => {
        const seen = new Set<string>()
        const created = relations.filter((relation) => {
          const isNew = !seen.has(tripleKey(relation)) && !view.hasRelation(relation)
          seen.add(tripleKey(relation))
          return isNew
        })
        for (const relation of created) edit.add(relationRecord(relation))
        return created
      }),

    addObservations: (additions) =>
      store.change((view, edit) => {
        const changed = new Map<string, Entity>()
        const results = additions.map(({ entityName, contents }) => {
          const entity = changed.get(entityName) ?? firstNamed(view, entityName)
          const fresh = new Set(contents)
          for (const observation of entity.observations) fresh.delete(observation)
          const observations = [...entity.observations, ...fresh]
          if (fresh.size > 0) changed.set(entityName, { ...entity, observations })
          return { entityName, addedObservations: [...fresh] }
        })
        for (const [name, entity] of changed) {
          const [line] = view.named(name)
          if (line) edit.replace(line, entityRecord(entity))
        }
        return results
      }),

    deleteEntities: (names) =>
      store.change((view, edit) => {
        for (const name of new Set(names)) {
          for (const line of view.named(name)) edit.remove(line)
          for (const line of view.touching(name)) edit.remove(line)
        }
      }),

    deleteObservations: (deletions) =>
      store.change((view, edit) => {
        const removed = new Map<string, Set<string>>()
        for (const { entityName, observations } of deletions) {
          removed.set(entityName, new Set([...(removed.get(entityName) ?? []), ...observations]))
        }
        for (const [name, observations] of removed) {
          const [line] = view.named(name)
          const entity = line && view.entities.get(line)
          const left = entity?.observations.filter((observation) => !observations.has(observation))
          if (!line || !entity || left?.length === entity.observations.length) continue
          edit.replace(line, entityRecord({ ...entity, observations: left ?? [] }))
        }
      }),

    deleteRelations: (relations) =>
      store.change((view, edit) => {
        for (const relation of relations) {
          for (const line of view.sameRelations(relation)) edit.remove(line)
        }
      }),
  }
}

/** The entity of a name; the original takes the first, too, where there are several. */
export function firstNamed(view: GraphView, name: string): Entity {
  const [line] = view.named(name)
  const entity = line && view.entities.get(line)
  if (!entity) throw new ToolError(`Entity with name ${name} not found`)
  return entity
}
