import { createServer, type Server } from '@parley/mcp/server'

import { extraResources } from './extras/resources.ts'
import { extraTools } from './extras/tools.ts'
import { createGraphAccess, type Extra } from './graph-access.ts'
import { createGraphs } from './graphs.ts'
import { mainGraph } from './resources.ts'
import { createTools } from './tools/create.ts'
import { deleteTools } from './tools/delete.ts'
import { readTools } from './tools/read.ts'

export { dataDirectory, memoryFile } from './memory-file.ts'
export { extras, type Extra } from './graph-access.ts'

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
  const access = createGraphAccess(createGraphs(file, onNotice), new Set(enable))
  const server: Server = createServer({
    name: 'memory-server',
    title: 'Memory',
    version: '0.6.3',
    description: 'A knowledge graph that outlives the conversation',
  })
  server.add(
    ...createTools(access),
    ...deleteTools(access),
    ...readTools(access),
    mainGraph(access),
    ...extraTools(access),
    ...extraResources(access),
  )
  return server
}
