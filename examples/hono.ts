import { createMcpHandler, type McpHandler } from '@parley/mcp/http'
import type { Server } from '@parley/mcp/server'
import { Hono } from 'hono'

/** A Hono application with an MCP server at `/mcp`, for every runtime Hono runs on. */
export function createHonoApp(server: Server): { app: Hono; mcp: McpHandler } {
  const mcp = createMcpHandler(server)
  const app = new Hono()
  app.all('/mcp', (context) => mcp.fetch(context.req.raw))
  return { app, mcp }
}
