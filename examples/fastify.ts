import { createNodeHandler, type NodeHandler } from '@parley/mcp/node'
import type { Server } from '@parley/mcp/server'
import fastify, { type FastifyInstance } from 'fastify'

/** A Fastify application with an MCP server at `/mcp`, in a scope where Fastify leaves the body to it. */
export function createFastifyApp(server: Server): { app: FastifyInstance; mcp: NodeHandler } {
  const mcp = createNodeHandler(server)
  const app = fastify()
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all('/mcp', (request, reply) => {
      reply.hijack()
      mcp(request.raw, reply.raw)
    })
  })
  app.addHook('preClose', async () => void (await mcp.drain()))
  return { app, mcp }
}
