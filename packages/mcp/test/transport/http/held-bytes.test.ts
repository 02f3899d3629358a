import type { HttpOptions } from '@parley/mcp/http'
import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import {
  describeEntries,
  eventsOf,
  initialize,
  openEndpoint,
  type Endpoint,
} from '../../support/http-endpoint.ts'
import { head, openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'

/** Behind a proxy of this machine, so that a test can have many addresses. */
const proxied: HttpOptions = { trustedProxies: ['127.0.0.1'] }
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const [ada, bob] = [from('192.0.2.1'), from('192.0.2.2')]
const megabyte = 1024 * 1024
const text = (length: number) => 'x'.repeat(length)

function greeting(size: number) {
  const serverInfo = initialize()
  const clientInfo = { ...serverInfo.params.clientInfo, title: text(size) }
  return { ...serverInfo, params: { ...serverInfo.params, clientInfo } }
}

function hanging(id: number, size: number) {
  const params = { name: 'hang', arguments: { text: text(size) } }
  return { jsonrpc: '2.0', id, method: 'tools/call', params }
}

const usedBytes = ({ service }: Endpoint) => service.health().usedBytes

describeEntries('what a client says about itself', (entry) => {
  test('is refused by initialize when it is longer than limits.clientBytes', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const response = await endpoint.post(greeting(40_000))

    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      id: 0,
      error: { data: { limit: 'clientBytes', allowed: 32 * 1024 } },
    })
    expect(endpoint.service.health()).toMatchObject({ sessions: 0, usedBytes: 0 })
  })

  test('counts while its session lasts', async () => {
    await using endpoint = await openEndpoint(entry, createSampleServer().server)

    const response = await endpoint.post(greeting(30_000))
    const session = response.headers.get('mcp-session-id') ?? ''
    await response.text()
    await vi.waitFor(() => expect(usedBytes(endpoint)).toBeLessThan(70_000)) // not the body any more
    expect(usedBytes(endpoint)).toBeGreaterThan(60_000)
    await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })

    await vi.waitFor(() => expect(usedBytes(endpoint)).toBe(0))
  })
})

test('sessions of one address make room for its next, and no other address loses one', async () => {
  const clock = createVirtualClock()
  await using endpoint = await openEndpoint('node', createSampleServer().server, {
    ...proxied,
    clock,
    limits: { callerBytes: 150_000 },
  })
  const open = async (who: typeof ada) => {
    await clock.advance(1_000)
    return (await endpoint.post(greeting(20_000), who)).headers.get('mcp-session-id') ?? ''
  }

  const sessions = [await open(bob), await open(ada), await open(ada), await open(ada)]
  const statuses: number[] = []
  for (const session of sessions) {
    statuses.push((await endpoint.call('count', { session })).status)
  }

  expect(statuses).toEqual([200, 404, 200, 200])
})

describeEntries('requests of one caller', (entry) => {
  test('are refused beyond limits.totalBytes, and taken when the work is over', async () => {
    const { server, release, calls } = createSampleServer()
    await using endpoint = await openEndpoint(entry, server, {
      limits: { totalBytes: 3 * megabyte },
    })
    const session = await endpoint.open()
    const idle = usedBytes(endpoint)
    const first = endpoint.post(hanging(1, megabyte), { session })
    await vi.waitFor(() => expect(calls.hang).toBe(1))

    const second = await endpoint.post(hanging(2, megabyte), { session })
    const small = await endpoint.call('count', { session, id: 3 })
    release()
    await (await first).text()
    await vi.waitFor(() => expect(usedBytes(endpoint)).toBe(idle))
    const third = await endpoint.post(hanging(4, megabyte), { session })

    expect([second.status, small.status, third.status]).toEqual([503, 200, 200])
    expect(await second.json()).toMatchObject({
      error: { data: { limit: 'totalBytes', allowed: 3 * megabyte } },
    })
  })
})

test('one address with its share of bytes in flight shuts nobody else out', async () => {
  const { server, release, calls } = createSampleServer()
  await using endpoint = await openEndpoint('node', server, {
    ...proxied,
    limits: { callerBytes: 3 * megabyte },
  })
  const [hers, his] = [await endpoint.open(ada), await endpoint.open(bob)]
  const waiting = endpoint.post(hanging(1, megabyte), { session: hers, ...ada })
  await vi.waitFor(() => expect(calls.hang).toBe(1))

  const rejected = await endpoint.post(hanging(2, megabyte), { session: hers, ...ada })
  const others = endpoint.post(hanging(1, megabyte), { session: his, ...bob })
  await vi.waitFor(() => expect(calls.hang).toBe(2))
  release()

  expect([rejected.status, (await others).status, (await waiting).status]).toEqual([429, 200, 200])
})

test('a body that is being read counts, however small its pieces', async () => {
  await using endpoint = await openEndpoint('node', createSampleServer().server, {
    limits: { totalBytes: 50_000 },
  })
  using socket = await openSocket(endpoint.port)

  socket.write(head({ 'transfer-encoding': 'chunked' }) + '1\r\nx\r\n'.repeat(60_000))

  expect(await socket.closed).toMatch(/^HTTP\/1\.1 503 /)
  await vi.waitFor(() => expect(usedBytes(endpoint)).toBe(0))
})

test('URIs that are followed count, and count no more when they are not', async () => {
  const { server } = createSampleServer()
  server.resource('long://{+path}', { name: 'long', watch: () => undefined }, () => 'text')
  await using endpoint = await openEndpoint('node', server, {
    limits: { totalBytes: 300_000 },
  })
  const session = await endpoint.open()
  const idle = usedBytes(endpoint)
  const ask = async (method: string, id: number, name: number) => {
    const params = { uri: `long://${name}${text(60_000)}` }
    const response = await endpoint.post({ jsonrpc: '2.0', id, method, params }, { session })
    return response.json()
  }

  const first = await ask('resources/subscribe', 1, 1)
  const second = await ask('resources/subscribe', 2, 2)
  await ask('resources/unsubscribe', 3, 1)
  const third = await ask('resources/subscribe', 4, 3)
  await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })

  expect([first, third]).toMatchObject([{ result: {} }, { result: {} }])
  expect(second).toMatchObject({ error: { data: { limit: 'totalBytes' } } })
  expect(idle).toBeGreaterThan(0)
  await vi.waitFor(() => expect(usedBytes(endpoint)).toBe(0))
})

describeEntries('an answer that nobody reads', (entry) => {
  const largeServer = () => {
    const { server } = createSampleServer()
    server.tool('large', {}, () => text(20 * megabyte))
    server.tool('medium', {}, () => text(megabyte))
    return server
  }
  const large = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'large' } }

  /** Asks for it, and gives what is left of it once it may be read. */
  async function askUnread(endpoint: Endpoint, accept: string): Promise<() => Promise<string>> {
    const session = await endpoint.open()
    if (entry === 'fetch') {
      const response = await endpoint.post(large, { session, headers: { accept } })
      return () => response.text()
    }
    const body = JSON.stringify(large)
    const socket = await openSocket(endpoint.port)
    socket.write(
      head({
        accept,
        connection: 'close',
        'mcp-session-id': session,
        'content-length': body.length,
      }) + body,
    )
    socket.pause()
    return async () => {
      const { closed } = socket
      socket.resume()
      return closed
    }
  }

  test.each(['application/json', 'text/event-stream'])(
    'is cut off after outputMs, and counts until then (%s)',
    async (accept) => {
      const clock = createVirtualClock()
      const cuts: unknown[] = []
      await using endpoint = await openEndpoint(entry, largeServer(), {
        clock,
        outputMs: 5_000,
        replay: false,
        onError: (error) => cuts.push(error),
      })
      const readRest = await askUnread(endpoint, accept)
      await vi.waitFor(() => expect(usedBytes(endpoint)).toBeGreaterThan(8 * megabyte))

      await clock.advance(5_001) // the system may still have taken some of it
      await clock.advance(5_001)

      expect(usedBytes(endpoint)).toBeLessThan(megabyte)
      expect(String(cuts[0])).toContain('nothing was read for 5000 ms (outputMs)')
      const rest = await readRest().catch(() => '')
      expect(rest.length).toBeLessThan(20 * megabyte)
    },
  )

  test.each(['application/json', 'text/event-stream'])(
    'is cut off at once where there is no room for it (%s)',
    async (accept) => {
      const cuts: unknown[] = []
      await using endpoint = await openEndpoint(entry, largeServer(), {
        limits: { totalBytes: 10 * megabyte },
        replay: false,
        onError: (error) => cuts.push(error),
      })

      const readRest = await askUnread(endpoint, accept)

      await vi.waitFor(() => expect(String(cuts[0])).toContain('limits.totalBytes allows'))
      const rest = await readRest().catch(() => '')
      expect(rest.length).toBeLessThan(20 * megabyte)
      expect(usedBytes(endpoint)).toBeLessThan(megabyte)
    },
  )

  test('is not cut off when it is read', async () => {
    await using endpoint = await openEndpoint(entry, largeServer())
    const session = await endpoint.open()

    const json = await endpoint.call('medium', { session, headers: { accept: 'application/json' } })
    const { length } = await json.text()
    const events = await endpoint.call('medium', {
      session,
      headers: { accept: 'text/event-stream' },
    })
    const message = await eventsOf(events).message()

    expect(length).toBeGreaterThan(megabyte)
    expect(JSON.stringify(message).length).toBe(length)
  })
})

test('events kept for resuming count for their caller; the oldest of its own make room', async () => {
  const { server } = createSampleServer()
  server.tool('tell', {}, (_, context) => {
    context.log('info', text(100_000))
    return 'told'
  })
  await using endpoint = await openEndpoint('node', server, { limits: { totalBytes: 1_000_000 } })
  const session = await endpoint.open()

  for (let id = 1; id <= 10; id += 1) {
    const answer = await endpoint.call('tell', { session, id })
    expect(await answer.text()).toContain('told')
  }

  expect(usedBytes(endpoint)).toBeGreaterThan(200_000)
  expect(usedBytes(endpoint)).toBeLessThan(600_000) // half of it is for requests and answers
  await endpoint.ask({ method: 'DELETE', headers: { 'mcp-session-id': session } })
  await vi.waitFor(() => expect(usedBytes(endpoint)).toBe(0))
})

test('messages behind an HTTP+SSE stream that nobody reads are refused beyond the limit', async () => {
  const { server } = createSampleServer()
  server.tool('large', {}, () => text(8 * megabyte))
  await using endpoint = await openEndpoint('node', server, {
    legacySse: true,
    limits: { totalBytes: 24 * megabyte },
  })
  using socket = await openSocket(endpoint.port)
  socket.write('GET /mcp/sse HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n')
  const path = /data: (\S+)/.exec(await socket.until('sessionId='))?.[1] ?? ''
  await endpoint.post(initialize(), { path })
  await socket.until('serverInfo')
  await endpoint.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { path })
  socket.pause()
  await endpoint.call('large', { path })

  // Its answer stands in the way, so that what comes now waits to be received.
  const asks = Array.from({ length: 80 }, (_, id) =>
    endpoint.post(hanging(id + 10, 200_000), { path }),
  )
  const rejected = await Promise.any(
    asks.map(async (ask) => {
      const { status } = await ask
      if (status !== 503 && status !== 404) throw new Error(`${status}`)
      return status
    }),
  )

  expect(rejected).toBe(503)
  expect(usedBytes(endpoint)).toBeLessThanOrEqual(24 * megabyte)
})
