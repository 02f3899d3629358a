import { createServer, defineResource, type Feature, type Server } from '@parley/mcp/server'

import { wholeGraph } from './graph/select.ts'
import { createGraphs, type Graphs } from './graphs.ts'
import { createToolKit, type Extra } from './tool-kit.ts'
import { createTools } from './tools/create.ts'
import { deleteTools } from './tools/delete.ts'
import { extraTools } from './tools/extras.ts'
import { readTools } from './tools/read.ts'

export { dataDirectory, memoryFile } from './memory-file.ts'
export { extras, type Extra } from './tool-kit.ts'

/** Where the memory is, and what may differ from the reference. */
export interface MemoryOptions {
  /** A path from `memoryFile`. Never let a caller choose it. */
  readonly file: string
  /** What the reference does not have. @defaultValue nothing */
  readonly enable?: readonly Extra[] | undefined
  /** Hears of lines that cannot be read. @defaultValue nobody */
  readonly onNotice?: ((notice: string) => void) | undefined
}

const mainUri = 'memory://knowledge-graph'

/** A knowledge graph that outlives the conversation, by the names the reference server gave its tools. */
export function createMemoryServer({
  file,
  enable = [],
  onNotice = () => {},
}: MemoryOptions): Server {
  const graphs = createGraphs(file, onNotice)
  const server = createServer({ name: 'memory-server', version: '0.6.3' })
  const kit = createToolKit(graphs, new Set(enable), (graph) =>
    server.notifyChanged({ uri: graph === '' ? mainUri : `memory://graphs/${graph}` }),
  )
  server.add(
    ...createTools(kit),
    ...deleteTools(kit),
    ...readTools(kit),
    ...extraTools(kit),
    mainGraph(graphs),
    ...(kit.has('graphs') ? [namedGraphs(graphs)] : []),
  )
  return server
}

function mainGraph(graphs: Graphs): Feature {
  return defineResource(
    mainUri,
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
          uri: `memory://graphs/${name}`,
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
