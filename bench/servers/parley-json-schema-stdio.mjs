// The echo tool with a plain JSON Schema: what a start costs without a schema library.
import { createServer } from '@parley/mcp/server'
import { serveStdio } from '@parley/mcp/stdio'

import { echoDescription } from './workload.mjs'

const server = createServer({ name: 'parley', version: '1.0.0' })
server.tool(
  'echo',
  {
    description: echoDescription,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  ({ text }) => text,
)
serveStdio(server)
