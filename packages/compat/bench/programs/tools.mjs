import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import * as z from 'zod'

const server = new McpServer({ name: 'bench', version: '1' })
for (let index = 0; index < 20; index++) {
  const inputSchema = { text: z.string().describe('what to say'), count: z.number().optional() }
  const name = index === 0 ? 'echo' : `echo${index}`
  server.registerTool(name, { description: 'Says it.', inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
}
await server.connect(new StdioServerTransport())
