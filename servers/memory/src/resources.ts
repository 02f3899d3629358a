import { json } from '@parley/mcp'
import { defineResource, type Feature } from '@parley/mcp/server'

import type { Entity } from './graph/record.ts'
import { partWhere, wholeGraph } from './graph/select.ts'
import type { Graphs } from './graphs.ts'
import type { ToolKit } from './tool-kit.ts'

/** The graph for people to attach, and to follow: they hear of each change. */
export function memoryResources({ graphs, has }: ToolKit): readonly Feature[] {
  return [
    mainGraph(graphs),
    ...(has('graphs') ? [namedGraphs(graphs)] : []),
    ...(has('entities') ? [entityByName(graphs)] : []),
  ]
}

/** Where the main graph is without a name, and where others are. */
export function graphUri(graph: string): string {
  return graph === '' ? 'memory://knowledge-graph' : `memory://graphs/${graph}`
}

function mainGraph(graphs: Graphs): Feature {
  return defineResource(
    graphUri(''),
    {
      name: 'knowledge-graph',
      title: 'Knowledge Graph',
      description: 'All entities and relations.',
      mimeType: 'application/json',
      watch: (_, changed, signal) => graphs.open().store.watch(changed, signal),
    },
    () => contentsOf(graphs, ''),
  )
}

function namedGraphs(graphs: Graphs): Feature {
  return defineResource(
    'memory://graphs/{graph}',
    {
      name: 'named-graph',
      description: 'All entities and relations of another graph than the main one.',
      mimeType: 'application/json',
      list: async () =>
        (await graphs.list()).map((name) => ({
          uri: graphUri(name),
          name,
          mimeType: 'application/json',
        })),
      complete: {
        graph: async (value) => (await graphs.list()).filter((name) => name.startsWith(value)),
      },
      watch: ({ graph }, changed, signal) => graphs.open(graph).store.watch(changed, signal),
    },
    async ({ graph }) =>
      (await graphs.list()).includes(graph) ? contentsOf(graphs, graph) : undefined,
  )
}

function contentsOf(graphs: Graphs, name: string): Promise<string> {
  return graphs.open(name).store.read((view) => JSON.stringify(wholeGraph(view), undefined, 2))
}

/** One entity of the main graph; names are completed, which the protocol does not do for tools. */
function entityByName(graphs: Graphs): Feature {
  const { store } = graphs.open()
  return defineResource(
    'memory://entities/{name}',
    {
      name: 'entity',
      title: 'Entity',
      description: 'What is known about an entity, and its relations.',
      mimeType: 'application/json',
      complete: { name: (typed) => store.read((view) => namesLike(view.entities.values(), typed)) },
      watch: (_, changed, signal) => store.watch(changed, signal),
    },
    ({ name }) =>
      store.read((view) => {
        const found = partWhere(view, (entity) => entity.name === name)
        return found.entities.length > 0 ? json(found) : undefined
      }),
  )
}

/** Names that begin with the text, before those that have it anywhere. */
function namesLike(entities: Iterable<Entity>, typed: string): readonly string[] {
  const wanted = typed.toLowerCase()
  const found = [...entities]
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().includes(wanted))
  const begins = (name: string) => name.toLowerCase().startsWith(wanted)
  return [...found.filter(begins), ...found.filter((name) => !begins(name))]
}
