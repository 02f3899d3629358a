import { createServer, type Server } from '@parley/mcp/server'

import { createGraphs } from './graphs.ts'
import { graphUri, memoryResources } from './resources.ts'
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

/** A knowledge graph that outlives the conversation, by the names the reference server gave its tools. */
export function createMemoryServer({
  file,
  enable = [],
  onNotice = () => {},
}: MemoryOptions): Server {
  const graphs = createGraphs(file, onNotice)
  const server = createServer({ name: 'memory-server', version: '0.6.3' })
  const kit = createToolKit(graphs, new Set(enable), (graph) =>
    server.notifyChanged({ uri: graphUri(graph) }),
  )
  server.add(
    ...createTools(kit),
    ...deleteTools(kit),
    ...readTools(kit),
    ...extraTools(kit),
    ...memoryResources(kit),
  )
  return server
}
