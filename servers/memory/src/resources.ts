import { defineResource, type Feature } from '@parley/mcp/server'

import type { GraphAccess } from './graph-access.ts'
import { wholeGraph } from './graph/select.ts'
import type { Graphs } from './graphs.ts'

/** The graph for people to attach, and to follow: they hear of each change. */
export function mainGraph({ graphs, follow }: GraphAccess): Feature {
  return defineResource(
    'memory://knowledge-graph',
    {
      name: 'knowledge-graph',
      title: 'Knowledge Graph',
      description: 'All entities and relations.',
      mimeType: 'application/json',
      watch: (_, changed, signal) => follow('', changed, signal),
    },
    () => contentsOf(graphs, ''),
  )
}

/** All of a graph as JSON. */
export function contentsOf(graphs: Graphs, name: string): Promise<string> {
  return graphs.open(name).store.read((view) => JSON.stringify(wholeGraph(view), undefined, 2))
}
