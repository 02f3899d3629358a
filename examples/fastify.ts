import { createNodeHandler, type NodeHandler } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'
import fastify, { type FastifyInstance } from 'fastify'

/** A Fastify application with an MCP server at `/mcp`: Fastify reads the body, we write the answer. */
export function createFastifyApp(server: Server): { app: FastifyInstance; mcp: NodeHandler } {
  const mcp = createNodeHandler(server)
  const app = fastify({ bodyLimit: 4 * 1024 * 1024 })
  app.all('/mcp', (request, reply) => {
    reply.hijack()
    mcp(Object.assign(request.raw, { body: request.body }), reply.raw)
  })
  app.addHook('preClose', async () => void (await mcp.drain()))
  return { app, mcp }
}
