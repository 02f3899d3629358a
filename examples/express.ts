import { createNodeHandler, type NodeHandler } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'
import express, { type Express } from 'express'

/**
 * An Express 5 application with an MCP server at `/mcp`. It stands before the parser: that would read the body of who
 * may not call, and answer what is wrong with it in HTML.
 */
export function createExpressApp(server: Server): { app: Express; mcp: NodeHandler } {
  const mcp = createNodeHandler(server)
  const app = express()
  app.all('/mcp', mcp)
  app.use(express.json()) // for the application's own routes, which follow
  return { app, mcp }
}
