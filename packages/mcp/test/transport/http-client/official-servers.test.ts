import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import {
  StreamableHTTPServerTransport,
  type EventStore,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { connect } from '@parley/mcp/client'
import { expect, test } from 'vitest'
import { z } from 'zod'

import { legacyRevisions } from '../../../src/wire/revisions.ts'

/** A server of the official SDK with something of everything. */
function createOfficialServer(): McpServer {
  const server = new McpServer(
    { name: 'official', version: '1.0.0' },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  )
  server.registerTool('add', { inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }))
  server.registerTool('ask', {}, async (extra) => {
    const answer = await extra.sendRequest(
      {
        method: 'elicitation/create',
        params: {
          message: 'name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        },
      },
      z.object({ action: z.string(), content: z.object({ name: z.string() }).optional() }),
    )
    return { content: [{ type: 'text', text: answer.content?.name ?? answer.action }] }
  })
  server.registerTool('count', {}, async (extra) => {
    const progressToken = extra._meta?.progressToken ?? 0
    for (let progress = 1; progress <= 3; progress += 1) {
      const params = { progressToken, progress }
      await extra.sendNotification({ method: 'notifications/progress', params })
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    return { content: [{ type: 'text', text: 'counted' }] }
  })
  server.registerResource('note', 'note://1', {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'hello' }],
  }))
  return server
}

interface Listening extends AsyncDisposable {
  readonly url: string
  readonly sockets: ReadonlySet<Socket>
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listening> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => void handle(request, response))
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
async function listenStreamable({ isJson = false, isResumable = false } = {}) {
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const servers: McpServer[] = []
  const listening = await listen(async (request, response) => {
    const id = String(request.headers['mcp-session-id'] ?? '')
    let transport = transports.get(id)
    if (transport === undefined && id === '') {
      const opened = new StreamableHTTPServerTransport({
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
    if (transport) return transport.handleRequest(request, response)
    response.writeHead(404).end()
    return undefined
  })
  return { ...listening, transports, servers }
}

test.each([
  ['streams', { isJson: false }],
  ['JSON', { isJson: true }],
])(
  "our client and the official SDK's server agree, answers as %s [HPOST-08] [HSESS-04] [HVER-01]",
  async (_, options) => {
    const server = await listenStreamable(options)
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
  },
)

test('it asks our user in the middle of a call', async () => {
  await using server = await listenStreamable()
  await using client = await connect(server.url, {
    elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
  })

  expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'Ada' }] })
})

test('it tells us of changes on a stream of their own [HGET-01]', async () => {
  const server = await listenStreamable()
  await using closing = server
  await using client = await connect(closing.url)
  await using subscription = await client.listen({ toolsListChanged: true })

  server.servers.at(-1)?.sendToolListChanged() // the first was only asked whether it knows server/discover

  const changes = subscription[Symbol.asyncIterator]()
  expect((await changes.next()).value).toEqual({ type: 'tools' })
})

test('a session it has forgotten is opened anew [HSESS-08]', async () => {
  const server = await listenStreamable()
  await using closing = server
  await using client = await connect(closing.url)
  await client.ping()

  server.transports.clear()

  expect(await client.listTools().toArray()).toHaveLength(3)
  expect(server.transports.size).toBe(1)
})

test('a call whose connection is cut is taken up where it was [HRES-03]', async () => {
  const server = await listenStreamable({ isResumable: true })
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

test('its server of 2024-11-05 is found and used [HCOMPAT-03] [HCOMPAT-05] [R1105-03] [XREV-13]', async () => {
  const transports = new Map<string, SSEServerTransport>()
  await using server = await listen(async (request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response)
      transports.set(transport.sessionId, transport)
      await createOfficialServer().connect(transport)
      return undefined
    }
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    const transport = transports.get(searchParams.get('sessionId') ?? '')
    if (pathname === '/messages' && transport) return transport.handlePostMessage(request, response)
    response.writeHead(404).end('Cannot POST /mcp')
    return undefined
  })
  await using client = await connect(server.url, {
    elicit: () => ({ action: 'accept', content: { name: 'Ada' } }),
  })
  const received: number[] = []

  expect(await client.callTool('add', { a: 1, b: 1 })).toMatchObject({ content: [{ text: '2' }] })
  expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'Ada' }] })
  await client.callTool('count', {}, { onProgress: ({ progress }) => received.push(progress) })

  expect(received).toEqual([1, 2, 3])
  expect(client.negotiated).toMatchObject({ transport: 'sse', revision: legacyRevisions[0] })
})
