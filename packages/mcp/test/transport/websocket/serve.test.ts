import { once } from 'node:events'
import type { Socket } from 'node:net'

import { supportedRevisions } from '@parley/mcp'
import type { ConnectOptions } from '@parley/mcp/client'
import { createServer } from '@parley/mcp/server'
import { createVirtualClock } from '@parley/mcp/testing'
import { openWebSocket } from '@parley/mcp/websocket'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'

import { createClient } from '../../../src/client/create-client.ts'
import { legacyRevisions } from '../../../src/wire/revisions.ts'
import { createSampleServer } from '../../support/sample-server.ts'
import { closeOf, listen } from './sockets.ts'

function connect(url: string, options: ConnectOptions = {}) {
  return createClient(() => openWebSocket(url), { onError: () => undefined, ...options })
}

const hello = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
}

async function openRaw(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, ['mcp'])
  await once(socket, 'open')
  return socket
}

async function ask(socket: WebSocket, text: string | object): Promise<unknown> {
  const answer = once(socket, 'message')
  socket.send(typeof text === 'string' ? text : JSON.stringify(text))
  return JSON.parse(String((await answer)[0]))
}

describe.each(supportedRevisions)('our client on our server over a WebSocket in %s', (revision) => {
  const protocolVersion = revision as NonNullable<ConnectOptions['protocolVersion']>

  test('begins as the revision does, then calls, reads and closes [WS-01] [WS-03]', async () => {
    await using listening = await listen(createSampleServer().server)
    const sent: unknown[] = []
    const client = await connect(listening.url, {
      protocolVersion,
      onMessage: ({ direction, message }) => direction === 'out' && sent.push(message),
    })

    expect(client.negotiated).toMatchObject({ revision, transport: 'websocket' })
    expect((await client.callTool('count')).content).toEqual([{ type: 'text', text: '1' }])
    expect((await client.readResource('note://one')).contents).toMatchObject([{ text: 'text' }])
    const method = legacyRevisions.includes(revision) ? 'initialize' : 'server/discover'
    expect(sent[0]).toMatchObject({ method })
    await client.close()

    await vi.waitFor(() => expect(listening.service.sockets).toBe(0))
  })

  test('asks the client in the middle of a call', async () => {
    const server = createServer({ name: 'asking', version: '1.0.0', onError: () => undefined })
    server.tool('roots', {}, async (_, context) => {
      const roots = await context.listRoots()
      return roots.map(({ uri }) => uri).join()
    })
    await using listening = await listen(server)
    await using client = await connect(listening.url, {
      protocolVersion,
      roots: ['file:///home/me'],
    })

    expect((await client.callTool('roots')).content).toMatchObject([{ text: 'file:///home/me' }])
  })

  test('a socket that closes ends its calls and leaves nothing behind [WS-04] [WS-05]', async () => {
    const sample = createSampleServer()
    await using listening = await listen(sample.server)
    const client = await connect(listening.url, { protocolVersion })
    const calling = client.callTool('hang')
    calling.catch(() => undefined)
    await vi.waitFor(() => expect(sample.calls.hang).toBe(1))

    await client.close()

    await vi.waitFor(() => expect(sample.aborted).toMatchObject([{ code: 'cancelled' }]))
    await vi.waitFor(() => expect(listening.service.sockets).toBe(0))
  })
})

test.each([
  ['shakes hands', '2025-11-25', ['initialize', 'notifications/initialized']],
  ['asks what it is', '2026-07-28', ['server/discover']],
] as const)('a lost socket is a lost session: a new one %s anew, in %s [WS-04]', async (...how) => {
  const [, protocolVersion, opening] = how
  await using listening = await listen(createSampleServer().server)
  const connections: Socket[] = []
  listening.http.on('connection', (socket) => connections.push(socket))
  const methods: unknown[] = []
  const states: string[] = []
  await using client = await connect(listening.url, {
    protocolVersion,
    reconnect: { minDelayMs: 1, maxDelayMs: 5 },
    onStatus: ({ state }) => states.push(state),
    onMessage: ({ direction, message }) =>
      direction === 'out' && methods.push((message as { method?: string }).method),
  })

  connections[0]?.destroy()
  await vi.waitFor(() => expect(states).toContain('reconnecting'))
  await client.callTool('count')

  expect(methods).toEqual([...opening, ...opening, 'tools/call'])
  await vi.waitFor(() => expect(listening.service.sockets).toBe(1))
})

test('answers what is no JSON, and what is too long, and goes on', async () => {
  await using listening = await listen(createSampleServer().server, {
    limits: { messageBytes: 1000 },
  })
  const socket = await openRaw(listening.url)

  const answers = [
    await ask(socket, '{"jsonrpc"'),
    await ask(socket, 'x'.repeat(1001)),
    await ask(socket, hello),
  ]

  expect(answers).toMatchObject([
    { error: { code: -32700 } },
    { error: { code: 413, data: { reason: 'limit_exceeded', limit: 'messageBytes', seen: 1001 } } },
    { id: 0, result: { serverInfo: { name: 'sample' } } },
  ])
  socket.close()
})

test('closes with 1009 when a message is far too long to be read', async () => {
  await using listening = await listen(createSampleServer().server, {
    limits: { messageBytes: 1000 },
  })
  const socket = await openRaw(listening.url)
  const closed = closeOf(socket)

  socket.send('x'.repeat(100_000))

  expect((await closed).code).toBe(1009)
})

test('closes with 1003 when a message is binary [WS-08]', async () => {
  await using listening = await listen(createSampleServer().server)
  const socket = await openRaw(listening.url)
  const closed = closeOf(socket)

  socket.send(Buffer.from(JSON.stringify(hello)))

  expect((await closed).code).toBe(1003)
  await vi.waitFor(() => expect(listening.service.sockets).toBe(0))
})

test('a long message on its way is a sign of life', async () => {
  const clock = createVirtualClock()
  await using listening = await listen(createSampleServer().server, { clock, keepAliveMs: 900 })
  const connected = once(listening.http, 'connection')
  const socket = new WebSocket(listening.url, ['mcp'], { autoPong: false })
  await once(socket, 'open')
  const [far] = (await connected) as [Socket]
  const closed = closeOf(socket)

  // One fragment of a text message after the other, never its end, and no answer to a ping.
  for (let round = 0; round < 12; round++) {
    const before = far.bytesRead
    socket.send('x', { fin: false })
    await vi.waitFor(() => expect(far.bytesRead).toBeGreaterThan(before))
    await clock.advance(300)
  }
  expect([socket.readyState, listening.service.sockets]).toEqual([WebSocket.OPEN, 1])
  await clock.advance(2_000)

  expect((await closed).code).toBe(1006)
})

test('bounds the calls one socket may have in flight', async () => {
  const sample = createSampleServer()
  await using listening = await listen(sample.server, { limits: { inFlight: 2 } })
  await using client = await connect(listening.url)
  const running = [client.callTool('hang'), client.callTool('hang')]
  await vi.waitFor(() => expect(sample.calls.hang).toBe(2))

  await expect(client.callTool('count')).rejects.toMatchObject({ code: 'overloaded' })

  sample.release()
  await Promise.all(running)
})

test('a client that does not read holds up nobody but itself', async () => {
  const server = createServer({ name: 'large', version: '1.0.0', onError: () => undefined })
  const text = 'x'.repeat(100_000)
  let calls = 0
  server.tool('large', {}, () => {
    calls += 1
    return text
  })
  await using listening = await listen(server)
  const slow = await openRaw(listening.url)
  await ask(slow, hello)
  slow.pause()
  for (let id = 1; id <= 1000; id++) {
    slow.send(
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'large' } }),
    )
    if (id % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await using quick = await connect(listening.url)

  expect((await quick.callTool('large')).content).toMatchObject([{ type: 'text' }])
  await new Promise((resolve) => setTimeout(resolve, 200)) // until no more is read
  expect(calls).toBeLessThan(900) // the slow one is not read from either
  let answers = 0
  slow.on('message', () => (answers += 1))
  slow.resume()
  await vi.waitFor(() => expect(answers).toBe(1000))
  slow.terminate()
})

test('serves 200 sockets at once, each its own session', async () => {
  const server = createServer({ name: 'many', version: '1.0.0', onError: () => undefined })
  server.tool('who', {}, (_, context) => context.client.info?.name ?? '')
  await using listening = await listen(server)

  const clients = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      connect(listening.url, { info: { name: `client-${index}`, version: '1.0.0' } }),
    ),
  )
  expect(listening.service.sockets).toBe(200)
  const answers = await Promise.all(
    clients.flatMap((client) => Array.from({ length: 5 }, () => client.callTool('who'))),
  )
  await Promise.all(clients.map((client) => client.close()))

  expect(answers.map(({ content }) => content)).toEqual(
    clients.flatMap((_, index) =>
      Array.from({ length: 5 }, () => [{ type: 'text', text: `client-${index}` }]),
    ),
  )
  await vi.waitFor(() => expect(listening.service.sockets).toBe(0))
})

test('draining finishes calls, then says 1001', async () => {
  const sample = createSampleServer()
  await using listening = await listen(sample.server)
  const client = await connect(listening.url)
  const idle = await openRaw(listening.url)
  const closed = closeOf(idle)
  const calling = client.callTool('hang')
  await vi.waitFor(() => expect(sample.calls.hang).toBe(1))

  const draining = listening.service.drain({ deadlineMs: 5_000 })
  const late = new WebSocket(listening.url, ['mcp'])
  late.on('error', () => undefined)
  const [, response] = (await once(late, 'unexpected-response')) as [
    unknown,
    { statusCode: number },
  ]
  sample.release()

  expect(response.statusCode).toBe(503)
  expect(await draining).toEqual({ finished: 1, aborted: 0 })
  expect((await calling).content).toMatchObject([{ text: 'released' }])
  expect(await closed).toEqual({ code: 1001, reason: 'the server is shutting down' })
  await listening.service.closed
  late.terminate()
})

test('is closed when the HTTP server is', async () => {
  const listening = await listen(createSampleServer().server)

  listening.http.close()

  await listening.service.closed
})

const megabyte = 1024 * 1024
const saying = (id: number, length: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'hang', arguments: { text: 'x'.repeat(length) } },
})

test('refuses calls that would have it hold more than limits.totalBytes, and serves others', async () => {
  const { server, release } = createSampleServer()
  await using listening = await listen(server, { limits: { totalBytes: 4 * megabyte } })
  const [near, other] = [await openRaw(listening.url), await openRaw(listening.url)]
  await ask(near, hello)
  await ask(other, hello)
  near.send(JSON.stringify(saying(1, megabyte)))

  expect(await ask(near, saying(2, megabyte))).toMatchObject({
    id: 2,
    error: { data: { limit: 'totalBytes', allowed: 4 * megabyte } },
  })
  const count = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'count' } }
  expect(await ask(other, count)).toMatchObject({ result: {} })

  const answered = once(near, 'message')
  release()
  await answered
  expect(await ask(near, saying(4, megabyte))).toMatchObject({ id: 4, result: {} })
})

test('closes with 1013 a socket whose message has no room while it arrives', async () => {
  await using listening = await listen(createSampleServer().server, {
    limits: { totalBytes: 256 * 1024 },
  })
  const socket = await openRaw(listening.url)
  const closed = closeOf(socket)

  socket.send('x'.repeat(megabyte), { fin: false }) // the rest never comes

  expect(await closed).toMatchObject({
    code: 1013,
    reason: expect.stringContaining('limits.totalBytes') as string,
  })
})

test('closes a socket at once when an answer it does not read has no room', async () => {
  const { server } = createSampleServer()
  server.tool('large', {}, () => 'x'.repeat(16 * megabyte))
  await using listening = await listen(server, { limits: { totalBytes: 4 * megabyte } })
  const socket = await openRaw(listening.url)
  await ask(socket, hello)
  socket.pause()

  const params = { name: 'large' }
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))

  await vi.waitFor(() => expect(listening.service.sockets).toBe(0))
})
