// The workload on the official SDK, version 2.
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

import { echoDescription, extraTools, largeText, reports } from './workload.mjs'

/** A new server with the tools of the workload. */
export function createWorkload() {
  const server = new McpServer({ name: 'official-v2', version: '1.0.0' })
  const inputSchema = z.object({ text: z.string() })
  for (const name of ['echo', ...extraTools()]) {
    server.registerTool(
      name,
      { description: echoDescription, inputSchema: z.object({ text: z.string() }) },
      ({ text }) => ({ content: [{ type: 'text', text }] }),
    )
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
