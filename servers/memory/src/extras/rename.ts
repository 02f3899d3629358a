import { ToolError } from '@parley/mcp'
import type { LineEdit, LineStore } from '@parley/server-kit/store'

import { firstNamed } from '../graph/graph.ts'
import { entityRecord, relationRecord, type Entity, type GraphRecord } from '../graph/record.ts'
import { tripleKey, type GraphView } from '../graph/view.ts'

type Store = LineStore<GraphRecord, GraphView>

/** Another name or type; relations follow. */
export function updateEntity(
  store: Store,
  change: {
    readonly name: string
    readonly newName?: string | undefined
    readonly entityType?: string | undefined
  },
): Promise<Entity> {
  return store.change((view, edit) => {
    const before = firstNamed(view, change.name)
    const { newName = before.name, entityType = before.entityType } = change
    if (newName !== before.name && view.named(newName).length > 0) {
      throw new ToolError(`There is an entity with name ${newName} already; merge them instead.`)
    }
    const entity = { ...before, name: newName, entityType }
    const [line] = view.named(before.name)
    if (line) edit.replace(line, entityRecord(entity))
    if (newName !== before.name) moveRelations(view, edit, [before.name], newName)
    return entity
  })
}

/** One entity with the facts and relations of several. */
export function mergeEntities(
  store: Store,
  { into, names }: { readonly into: string; readonly names: readonly string[] },
): Promise<Entity> {
  return store.change((view, edit) => {
    const target = firstNamed(view, into)
    const others = [...new Set(names)].filter((name) => name !== into)
    const facts = others.flatMap((name) => firstNamed(view, name).observations)
    const entity = { ...target, observations: [...new Set([...target.observations, ...facts])] }
    const [line] = view.named(into)
    if (line) edit.replace(line, entityRecord(entity))
    for (const name of others)
      for (const removedEntity of view.named(name)) edit.remove(removedEntity)
    moveRelations(view, edit, others, into)
    return entity
  })
}

/** Relations of the old names get the new one; what becomes a relation to itself, or is there already, goes. */
function moveRelations(
  view: GraphView,
  edit: LineEdit<GraphRecord>,
  oldNames: readonly string[],
  newName: string,
): void {
  const old = new Set(oldNames)
  const moved = (name: string) => (old.has(name) ? newName : name)
  const lines = new Set(oldNames.flatMap((name) => [...view.touching(name)]))
  const seen = new Set<string>()
  for (const line of lines) {
    const relation = view.relations.get(line)
    if (!relation) continue
    const after = { ...relation, from: moved(relation.from), to: moved(relation.to) }
    const becameLoop = after.from === after.to && relation.from !== relation.to
    if (becameLoop || seen.has(tripleKey(after)) || view.hasRelation(after)) edit.remove(line)
    else edit.replace(line, relationRecord(after))
    seen.add(tripleKey(after))
  }
}
