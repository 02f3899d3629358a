import type { Clock } from '@parley/mcp'
import { connect, type ConnectOptions, type ClientStatus } from '@parley/mcp/client'
import { expect, test } from 'vitest'

import { systemClock } from '../../../src/rpc/clock.ts'
import { openScriptedServer, serverInfo, type Events, type Reply } from './scripted-server.ts'

const soon = { minDelayMs: 1, maxDelayMs: 2 }
const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

test('no stream is opened that nobody needs', async () => {
  await using server = await openScriptedServer()
  await using client = await connect(server.url)

  await client.ping()
  await client.listTools().toArray()

  expect(server.sent('GET')).toEqual([])
})

test.each<[string, ConnectOptions]>([
  ['onLog', { onLog: () => undefined }],
  ['elicit', { elicit: () => ({ action: 'cancel' }) }],
  ['sample', { sample: () => Promise.reject(new Error('no')) }],
  ['roots', { roots: [] }],
])(
  '%s needs one, with its own Accept, and goes on after 405 [HGET-01] [HGET-02] [HGET-03]',
  async (_, options) => {
    const statuses: ClientStatus[] = []
    await using server = await openScriptedServer()
    await using client = await connect(server.url, {
      ...options,
      onStatus: (status) => statuses.push(status),
    })

    const { headers } = await server.until('GET')
    await client.ping()

    expect(headers.accept).toBe('text/event-stream')
    expect(client.status.state).toBe('ready')
    expect(statuses.map(({ state }) => state)).toEqual(['ready'])
    expect(server.sent('GET')).toHaveLength(1)
  },
)

test('listen opens it and waits for it; ending the last subscription closes it [HGET-08]', async () => {
  let events: Events | undefined
  let isClosed = false
  await using server = await openScriptedServer({
    GET(reply) {
      events = reply.stream()
      reply.response.once('close', () => (isClosed = true))
    },
  })
  await using client = await connect(server.url)

  const subscription = await client.listen({ toolsListChanged: true })
  events?.event(changed)

  const changes = subscription[Symbol.asyncIterator]()
  expect((await changes.next()).value).toEqual({ type: 'tools' })
  await subscription[Symbol.asyncDispose]()
  await expect.poll(() => isClosed).toBe(true)
  expect(client.status.state).toBe('ready')
})

test('a server without it, which answers as its router does, is no reason to worry', async () => {
  await using server = await openScriptedServer({
    initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': 's' }),
    GET: (reply) => reply.status(404, '<h1>Cannot GET /mcp</h1>', { 'content-type': 'text/html' }),
  })
  await using client = await connect(server.url)

  await using subscription = await client.listen({ toolsListChanged: true })

  expect(subscription.accepted).toEqual({ toolsListChanged: true })
  await client.ping()
  expect(client.status.state).toBe('ready')
  expect(server.sent('initialize')).toHaveLength(1)
})

test('while only it is down the client is degraded, and calls go on', async () => {
  const statuses: ClientStatus[] = []
  const opened: Reply[] = []
  let isUp = true
  await using server = await openScriptedServer({
    GET(reply) {
      if (!isUp) return reply.status(503)
      reply.stream()
      opened.push(reply)
    },
  })
  await using client = await connect(server.url, {
    reconnect: { minDelayMs: 25, maxDelayMs: 25 },
    onStatus: (status) => statuses.push(status),
  })
  await using subscription = await client.listen({ toolsListChanged: true })
  const changes = subscription[Symbol.asyncIterator]()

  isUp = false
  opened[0]?.response.socket?.destroy()
  await expect.poll(() => client.status.state).toBe('degraded')
  await client.ping()
  await server.until('GET', 3)
  isUp = true

  await expect.poll(() => client.status.state).toBe('ready')
  expect((await changes.next()).value).toEqual({ type: 'gap' })
  const states = statuses.map(({ state }) => state)
  expect(states.filter((state) => state !== 'degraded')).toEqual(['ready', 'ready'])
  expect(statuses.find(({ state }) => state === 'degraded')).toMatchObject({
    missing: 'notifications',
  })
  expect(server.sent('initialize')).toHaveLength(1)
})

test('it is taken up after the last event, so that nothing is missed or told twice [HRES-03]', async () => {
  let count = 0
  await using server = await openScriptedServer({
    GET(reply) {
      const events = reply.stream()
      const after = Number(reply.headers['last-event-id'] ?? 0)
      for (let id = after + 1; id <= Math.min(after + 2, 6); id += 1) {
        const params = { level: 'info', data: (count += 1) }
        events.event({ jsonrpc: '2.0', method: 'notifications/message', params }, `${id}`)
      }
      if (after < 4) setTimeout(() => events.cut(), 5)
    },
  })
  const received: unknown[] = []
  await using client = await connect(server.url, {
    reconnect: soon,
    onLog: ({ data }) => received.push(data),
  })

  await expect.poll(() => received).toEqual([1, 2, 3, 4, 5, 6])
  await client.ping()
  expect(server.sent('GET').map(({ headers }) => headers['last-event-id'])).toEqual([
    undefined,
    '2',
    '4',
  ])
})

/** The clock of this machine, and every delay it was asked for. */
function createRecordingClock() {
  const delays: number[] = []
  const clock: Clock = {
    ...systemClock,
    setTimer(callback, ms) {
      delays.push(ms)
      return systemClock.setTimer(callback, ms)
    },
  }
  return { clock, delays }
}

test('a stream that ends cleanly is opened again, as late as the server wishes, and is no fault [N11-HTTP-05]', async () => {
  const { clock, delays } = createRecordingClock()
  const statuses: ClientStatus[] = []
  await using server = await openScriptedServer({
    GET(reply) {
      const events = reply.stream()
      events.raw('retry: 177\n\n')
      if (server.sent('GET').length < 2) events.end()
    },
  })
  await using client = await connect(server.url, {
    clock,
    onLog: () => undefined,
    onStatus: (status) => statuses.push(status),
  })

  await server.until('GET', 2)
  await client.ping()

  expect(delays).toContain(177)
  expect(statuses.map(({ state }) => state)).toEqual(['ready'])
})

test('a server that closes it again and again is not stormed', async () => {
  const { clock, delays } = createRecordingClock()
  await using server = await openScriptedServer({ GET: (reply) => reply.stream().end() })
  await using client = await connect(server.url, {
    clock,
    reconnect: { minDelayMs: 1, maxDelayMs: 1 },
    onLog: () => undefined,
  })

  await server.until('GET', 21)
  await expect.poll(() => delays.some((ms) => ms > 50_000 && ms < 60_000)).toBe(true)

  await client.ping()
  expect(server.sent('GET')).toHaveLength(21)
})

test('a session that is gone is found out by the stream too [HSESS-08]', async () => {
  let sessions = 0
  const opened: Events[] = []
  await using server = await openScriptedServer({
    initialize: (reply) => reply.json(serverInfo, { 'mcp-session-id': `s${(sessions += 1)}` }),
    GET(reply) {
      if (reply.headers['mcp-session-id'] !== `s${sessions}`) return reply.status(404)
      opened.push(reply.stream())
    },
  })
  await using client = await connect(server.url, { reconnect: soon, onLog: () => undefined })
  await server.until('GET')

  sessions = 100 // restarted: it knows nobody
  opened[0]?.cut()
  await server.until('initialize', 2)
  await server.until('GET', 3)

  expect(server.sent('GET').at(-1)?.headers['mcp-session-id']).toBe('s101')
  await expect.poll(() => client.status.state).toBe('ready')
})
