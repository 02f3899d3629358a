// The workload on the official SDK, version 2.
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

import { describeSearch, searchTools } from './search-tool.mjs'
import { echoDescription, largeText, reports } from './workload.mjs'

// Schemas are made once, as in a program that is written with care: only the server is new for each session or request.
const inputSchema = z.object({ text: z.string() })
const searches = searchTools().map((name) => {
  const { description, annotations, input, output } = describeSearch(z)
  return [
    name,
    { description, annotations, inputSchema: z.object(input), outputSchema: z.object(output) },
  ]
})

/** A new server with the tools of the workload. */
export function createWorkload() {
  const server = new McpServer({ name: 'official-v2', version: '1.0.0' })
  server.registerTool('echo', { description: echoDescription, inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }))
  for (const [name, config] of searches) {
    server.registerTool(name, config, ({ path }) => ({
      content: [],
      structuredContent: { paths: [path] },
    }))
  }
  server.registerTool('large', {}, () => ({ content: [{ type: 'text', text: largeText }] }))
  server.registerTool('size', { inputSchema }, ({ text }) => ({
    content: [{ type: 'text', text: `${text.length}` }],
  }))
  server.registerTool('report', {}, async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta
    for (let progress = 1; progress <= reports; progress++) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } })
    }
    return { content: [{ type: 'text', text: 'done' }] }
  })
  return server
}
