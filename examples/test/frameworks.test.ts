import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { getRequestListener } from '@hono/node-server'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createNodeHandler } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import express from 'express'
import { describe, expect, test } from 'vitest'

import { createExpressApp } from '../express.ts'
import { createFastifyApp } from '../fastify.ts'
import { createHonoApp } from '../hono.ts'

function createCounter(): Server {
  const server = createServer({ name: 'counter', version: '1.0.0' })
  server.tool('count', {}, async (_, context) => {
    for (const progress of [1, 2, 3]) await context.progress({ progress, total: 3 })
    return 'three'
  })
  return server
}

async function listen(http: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return (http.address() as AddressInfo).port
}

/** Starts a server with the recipe; gives its port. */
type Start = (server: Server) => Promise<{ port: number; close(): Promise<unknown> }>

const recipes: Record<string, Start> = {
  async Express(server) {
    const { app, mcp } = createExpressApp(server)
    const http = createHttpServer(app)
    return {
      port: await listen(http),
      close: async () => (await mcp.drain(), http.closeAllConnections(), http.close()),
    }
  },
  async 'Express without a parser'(server) {
    const mcp = createNodeHandler(server)
    const http = createHttpServer(express().use('/mcp', mcp))
    return {
      port: await listen(http),
      close: async () => (await mcp.drain(), http.closeAllConnections(), http.close()),
    }
  },
  async Fastify(server) {
    const { app } = createFastifyApp(server)
    await app.listen({ port: 0 })
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() }
  },
  async Hono(server) {
    const { app, mcp } = createHonoApp(server)
    const http = createHttpServer(getRequestListener(app.fetch))
    return {
      port: await listen(http),
      close: async () => (await mcp.drain(), http.closeAllConnections(), http.close()),
    }
  },
}

describe.each(Object.entries(recipes))('%s', (_, start) => {
  test('serves a client that nobody here wrote, with progress and an end', async () => {
    const { port, close } = await start(createCounter())
    const client = new Client({ name: 'official', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`))
    await client.connect(transport)
    const told: number[] = []

    const result = await client.callTool({ name: 'count', arguments: {} }, undefined, {
      onprogress: ({ progress }) => void told.push(progress),
    })
    await transport.terminateSession()
    await client.close()

    expect(result.content).toEqual([{ type: 'text', text: 'three' }])
    expect(told.slice(0, 2)).toEqual([1, 2])
    await close()
  })

  test('refuses a foreign page and what is no JSON', async () => {
    const { port, close } = await start(createCounter())
    const ask = (headers: Record<string, string>, body: string) =>
      fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: { accept: '*/*', 'content-type': 'application/json', ...headers },
        body,
      })

    const foreign = await ask({ origin: 'https://evil.example' }, '{}')
    const broken = await ask({}, '{')

    expect(foreign.status).toBe(403)
    expect(broken.status).toBe(400)
    await close()
  })
})
