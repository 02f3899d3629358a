import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { createAdaptorServer } from '@hono/node-server'
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  type EventStore,
} from '@modelcontextprotocol/server'
import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** A server of the official SDK's second generation with something of everything. */
function createOfficialServer(): McpServer {
  const server = new McpServer(
    { name: 'official', version: '2.0.0' },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  )
  server.registerTool(
    'add',
    { inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  )
  server.registerTool('ask', {}, async (context) => {
    const answer = await context.mcpReq.elicitInput({
      message: 'name?',
      requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    })
    const name = answer.content?.['name']
    return { content: [{ type: 'text', text: typeof name === 'string' ? name : answer.action }] }
  })
  server.registerTool('count', {}, async (context) => {
    const progressToken = context.mcpReq._meta?.progressToken ?? 0
    for (let progress = 1; progress <= 3; progress += 1) {
      const params = { progressToken, progress }
      await context.mcpReq.notify({ method: 'notifications/progress', params })
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    return { content: [{ type: 'text', text: 'counted' }] }
  })
  server.registerResource('note', 'note://1', {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'hello' }],
  }))
  return server
}

async function listen(fetch: (request: Request) => Promise<Response>) {
  const sockets = new Set<Socket>()
  const server = createAdaptorServer({ fetch }) as Server // plain HTTP, as nothing else was asked for
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    sockets,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Keeps every event of every stream. */
function createEventStore(): EventStore {
  type Stored = Parameters<EventStore['storeEvent']>
  const events: { readonly id: string; readonly stream: Stored[0]; readonly message: Stored[1] }[] =
    []
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${events.length}`
      events.push({ id, stream, message })
      return id
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = events.findIndex(({ id }) => id === lastEventId)
      const stream = events[at]?.stream ?? ''
      for (const event of events.slice(at + 1)) {
        if (event.stream === stream) await send(event.id, event.message)
      }
      return stream
    },
  }
}

/** Streamable HTTP with sessions, one server each. */
async function listenWithSessions({ isJson = false, isResumable = false } = {}) {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const servers: McpServer[] = []
  const listening = await listen(async (request) => {
    const id = request.headers.get('mcp-session-id') ?? ''
    let transport = transports.get(id)
    if (transport === undefined && id === '') {
      const opened = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: isJson,
        ...(isResumable && { eventStore: createEventStore() }),
        onsessioninitialized: (session) => void transports.set(session, opened),
        onsessionclosed: (session) => void transports.delete(session),
      })
      const server = createOfficialServer()
      servers.push(server)
      await server.connect(opened)
      transport = opened
    }
    return transport?.handleRequest(request) ?? new Response(null, { status: 404 })
  })
  return { ...listening, transports, servers }
}

test.each([
  ['streams', { isJson: false }],
  ['JSON', { isJson: true }],
])('our client and its server with sessions agree, answers as %s', async (_, options) => {
  const server = await listenWithSessions(options)
  await using closing = server
  const client = await connect(closing.url)

  const tools = await client.listTools().toArray()
  const sum = await client.callTool('add', { a: 2, b: 3 })

  expect(tools.map(({ name }) => name)).toEqual(['add', 'ask', 'count'])
  expect(sum.content).toEqual([{ type: 'text', text: '5' }])
  expect(await client.readResource('note://1')).toMatchObject({ contents: [{ text: 'hello' }] })
  await expect(client.readResource('note://2')).rejects.toMatchObject({ name: 'RpcError' })
  await client.close()
  expect(server.transports.size).toBe(0) // DELETE has arrived [HSESS-09]
})

test('our client and its server without sessions agree', async () => {
  const handler = createMcpHandler(createOfficialServer)
  await using server = await listen((request) => handler.fetch(request))
  await using client = await connect(server.url)
  const received: number[] = []

  const sum = await client.callTool('add', { a: 2, b: 3 })
  await client.callTool('count', {}, { onProgress: ({ progress }) => received.push(progress) })

  expect(await client.listTools().toArray()).toHaveLength(3)
  expect(sum.content).toEqual([{ type: 'text', text: '5' }])
  expect(received).toEqual([1, 2, 3])
  expect(await client.readResource('note://1')).toMatchObject({ contents: [{ text: 'hello' }] })
})

test('it asks our user in the middle of a call', async () => {
  await using server = await listenWithSessions()
  await using client = await connect(server.url, {
    elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
  })

  expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'Ada' }] })
})

test('it tells us of changes on a stream of their own [HGET-01]', async () => {
  const server = await listenWithSessions()
  await using closing = server
  await using client = await connect(closing.url)
  await using subscription = await client.listen({ toolsListChanged: true })

  server.servers.at(-1)?.sendToolListChanged()

  const changes = subscription[Symbol.asyncIterator]()
  expect((await changes.next()).value).toEqual({ type: 'tools' })
})

test('a session it has forgotten is opened anew [HSESS-08]', async () => {
  const server = await listenWithSessions()
  await using closing = server
  await using client = await connect(closing.url)
  await client.ping()

  server.transports.clear()

  expect(await client.listTools().toArray()).toHaveLength(3)
  expect(server.transports.size).toBe(1)
})

test('a call whose connection is cut is taken up where it was [HRES-03]', async () => {
  const server = await listenWithSessions({ isResumable: true })
  await using closing = server
  const received: number[] = []
  await using client = await connect(closing.url, { reconnect: { minDelayMs: 5, maxDelayMs: 10 } })

  const answer = await client.callTool(
    'count',
    {},
    {
      onProgress({ progress }) {
        received.push(progress)
        if (progress === 1) for (const socket of server.sockets) socket.destroy()
      },
    },
  )

  expect(answer).toMatchObject({ content: [{ text: 'counted' }] })
  expect(received).toEqual([1, 2, 3])
})
