import { defineResource, type Feature } from '@parley/mcp/server'

import type { GraphAccess } from '../graph-access.ts'
import type { Entity } from '../graph/record.ts'
import { partWhere } from '../graph/select.ts'
import { contentsOf } from '../resources.ts'

/** Resources the reference does not have; each only when it is switched on. */
export function extraResources(access: GraphAccess): readonly Feature[] {
  return [
    ...(access.has('graphs') ? [namedGraphs(access)] : []),
    ...(access.has('entities') ? [entityByName(access)] : []),
  ]
}

function namedGraphs({ graphs, follow }: GraphAccess): Feature {
  return defineResource(
    'memory://graphs/{graph}',
    {
      name: 'named-graph',
      description: 'All entities and relations of another graph than the main one.',
      mimeType: 'application/json',
      list: async () =>
        (await graphs.list()).map((name) => ({
          uri: `memory://graphs/${name}`,
          name,
          mimeType: 'application/json',
        })),
      complete: {
        graph: async (value) => (await graphs.list()).filter((name) => name.startsWith(value)),
      },
      watch: ({ graph }, changed, signal) => follow(graph, changed, signal),
    },
    async ({ graph }) =>
      (await graphs.list()).includes(graph) ? contentsOf(graphs, graph) : undefined,
  )
}

/** One entity of the main graph; names are completed, which the protocol does not do for tools. */
function entityByName({ graphs, follow }: GraphAccess): Feature {
  const { store } = graphs.open()
  return defineResource(
    'memory://entities/{name}',
    {
      name: 'entity',
      title: 'Entity',
      description: 'What is known about an entity, and its relations.',
      mimeType: 'application/json',
      complete: { name: (typed) => store.read((view) => namesLike(view.entities.values(), typed)) },
      watch({ name }, changed, signal) {
        const look = () => describe(name).catch(() => undefined) // who reads it next is told why
        let last = look()
        follow('', () => void compare(), signal)
        async function compare(): Promise<void> {
          const before = last
          last = look()
          if ((await before) !== (await last)) changed()
        }
      },
    },
    ({ name }) => describe(name),
  )

  /** As JSON; undefined for nobody. */
  function describe(wanted: string): Promise<string | undefined> {
    return store.read((view) => {
      const found = partWhere(view, ({ name }) => name === wanted)
      return found.entities.length > 0 ? JSON.stringify(found, undefined, 2) : undefined
    })
  }
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
