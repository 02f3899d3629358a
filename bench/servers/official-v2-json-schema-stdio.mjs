// The echo tool with a plain JSON Schema on the official SDK, version 2.
import { McpServer, fromJsonSchema } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

import { echoDescription } from './workload.mjs'

const server = new McpServer({ name: 'official-v2', version: '1.0.0' })
server.registerTool(
  'echo',
  {
    description: echoDescription,
    inputSchema: fromJsonSchema({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    }),
  },
  ({ text }) => ({ content: [{ type: 'text', text }] }),
)
await server.connect(new StdioServerTransport())
