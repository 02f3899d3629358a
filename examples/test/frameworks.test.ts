import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { getRequestListener } from '@hono/node-server'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createNodeHandler } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import express, { type ErrorRequestHandler } from 'express'
import fastify from 'fastify'
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

  test.each<[what: string, status: number, headers: Record<string, string>, body: string]>([
    ['a foreign page', 403, { origin: 'https://evil.example' }, '{}'],
    ['a foreign page with what is no JSON', 403, { origin: 'https://evil.example' }, '{'],
    ['what is no JSON', 400, {}, '{"jsonrpc":'],
    ['a body that is too large', 413, {}, `"${'x'.repeat(5_000_000)}"`],
    ['another charset', 415, { 'content-type': 'application/json; charset=latin1' }, '{}'],
    ['a coding', 415, { 'content-encoding': 'zstd' }, '{}'],
    ['another type', 415, { 'content-type': 'application/xml' }, '<a/>'],
    ['no message', 400, {}, '{"__proto__":{}}'],
  ])('refuses %s by %s and JSON', async (_what, status, headers, body) => {
    const { port, close } = await start(createCounter())

    const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { accept: '*/*', 'content-type': 'application/json', ...headers },
      body,
    })

    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: {} })
    await close()
  })
})

test('an application that parses first can still be answered in JSON-RPC', async () => {
  const mcp = createNodeHandler(createCounter())
  const refuse: ErrorRequestHandler = (error: { status?: number }, _request, response, _next) => {
    const { status = 500 } = error
    response.status(status).json({ jsonrpc: '2.0', error: { code: -32600, message: 'refused' } })
  }
  const app = express()
    .use(express.json({ limit: '4mb' }))
    .all('/mcp', mcp)
    .use('/mcp', refuse)
  const http = createHttpServer(app)
  const url = `http://127.0.0.1:${await listen(http)}/mcp`
  const post = (body: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

  const [broken, whole] = [await post('{'), await post('{"jsonrpc":"2.0","id":1}')]

  expect([broken.status, whole.status]).toEqual([400, 400])
  expect(await broken.json()).toMatchObject({ jsonrpc: '2.0' })
  expect(await whole.json()).toMatchObject({ jsonrpc: '2.0' })
  await mcp.drain()
  http.closeAllConnections()
  http.close()
})

test('a body that was read and not passed on is told apart from none', async () => {
  const mcp = createNodeHandler(createCounter())
  const app = fastify()
  app.all('/mcp', (request, reply) => {
    reply.hijack()
    mcp(request.raw, reply.raw)
  })
  const url = await app.listen({ port: 0 })

  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining('request.body') as string },
  })
  await mcp.drain()
  await app.close()
})
