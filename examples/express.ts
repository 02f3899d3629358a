import { createNodeHandler, type NodeHandler } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'
import express, { type Express } from 'express'

/** An Express 5 application with an MCP server at `/mcp`; whether the body has been parsed does not matter. */
export function createExpressApp(server: Server): { app: Express; mcp: NodeHandler } {
  const mcp = createNodeHandler(server)
  const app = express()
  app.use(express.json({ limit: '4mb' }))
  app.all('/mcp', (request, response) => mcp(request, response))
  return { app, mcp }
}
