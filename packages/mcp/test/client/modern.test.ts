import type { McpError } from '@parley/mcp'
import { createVirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { metaKeys } from '../../src/wire/request-meta.ts'
import {
  openStandalone,
  standalone,
  serverInfo,
  type RawStandaloneServer,
} from '../support/raw-modern-server.ts'

const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }

describe('a client of 2026-07-28', () => {
  test.each([
    { jsonrpc: '2.0', id: 's1', method: 'ping' },
    { jsonrpc: '2.0', id: 's2', method: 'elicitation/create', params: form },
    { jsonrpc: '2.0', id: 's3', method: 'roots/list' },
    { jsonrpc: '2.0', id: 's4', method: 7 },
    [{ jsonrpc: '2.0', id: 's5', method: 'ping' }],
    'no message',
  ])('never responds: %j [N07-DIR-02] [N07-STDIO-02]', async (message) => {
    const errors: unknown[] = []
    const server = openStandalone({
      elicit: () => ({ action: 'accept', content: {} }),
      roots: [],
      onError: (error) => errors.push(error),
    })
    const client = await server.discovered()
    server.send(message)

    expect(await server.quiet()).toEqual([])
    expect(Array.isArray(message) || errors.length === 1).toBe(true)
    await client.close()
  })

  test('sends no notification but that a request is cancelled [N07-DIR-05] [N07-ROOT-01]', async () => {
    const server = openStandalone({ roots: [] })
    const client = await server.discovered()
    await client.setRoots(['file:///home'])
    await client.setLoggingLevel('debug')
    const controller = new AbortController()
    const calling = client.callTool('t', {}, { signal: controller.signal })
    calling.catch(() => undefined)
    const request = await server.expect('tools/call')
    controller.abort(new Error('enough'))
    const cancelled = await server.expect('notifications/cancelled')

    expect(cancelled.params).toEqual({ requestId: request.id, reason: 'enough' })
    const notifications = server.received.filter(({ id }) => id === undefined)
    expect(notifications).toEqual([cancelled])
    await client.close()
  })

  test('answers with the roots it was given last [N07-ROOT-01]', async () => {
    const server = openStandalone({ roots: [] })
    const client = await server.discovered()
    await client.setRoots(['file:///home'])
    const calling = client.callTool('t')
    const inputRequests = { r: { method: 'roots/list' } }
    await server.answer('tools/call', { resultType: 'input_required', inputRequests })
    const again = await server.answer('tools/call', { content: [] })
    await calling

    expect(again.params).toHaveProperty('inputResponses.r', { roots: [{ uri: 'file:///home' }] })
    await client.close()
  })

  test('pings by server/discover', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock })
    const client = await server.discovered()
    const pinging = client.ping()
    const request = await server.expect('server/discover')
    await clock.advance(25)
    server.send({ jsonrpc: '2.0', id: request.id, result: serverInfo() })

    expect(await pinging).toBe(25)
    await client.close()
  })

  test('finds a server that hangs by server/discover, if a heartbeat is wanted', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({
      clock,
      heartbeat: { everyMs: 1_000, timeoutMs: 100, failures: 1 },
    })
    const client = await server.discovered()
    await clock.advance(1_000)
    const request = await server.expect('server/discover')
    await clock.advance(100)

    expect(request.params).toHaveProperty(['_meta', metaKeys.version], standalone)
    expect(client.status).toMatchObject({ state: 'closed', cause: { code: 'connection_lost' } })
    await client.close()
  })

  test('hears logs of its requests', async () => {
    const logs: unknown[] = []
    const server = openStandalone({ onLog: (message) => logs.push(message) })
    const client = await server.discovered()
    const calling = client.callTool('t')
    const params = { level: 'info', data: 'working' }
    server.send({ jsonrpc: '2.0', method: 'notifications/message', params })
    await server.answer('tools/call', { content: [] })
    await calling

    expect(logs).toEqual([params])
    await client.close()
  })

  test('ignores answers to what it gave up, and notifications it does not know [N07-CANC-05]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const controller = new AbortController()
    const given = client.callTool('t', {}, { signal: controller.signal })
    given.catch(() => undefined)
    const request = await server.expect('tools/call')
    controller.abort(new Error('enough'))
    server.send({ jsonrpc: '2.0', id: request.id, result: { content: [] } })
    server.send({ jsonrpc: '2.0', method: 'notifications/tasks/status', params: {} })
    server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: {} })
    const next = client.callTool('t')
    await server.answer('tools/call', { content: [] })

    await expect(given).rejects.toThrow('enough')
    expect(await next).toEqual({ content: [] })
    await client.close()
  })

  test('may use an id again once it is answered, and never before [N07-STATE-07]', async () => {
    const server = openStandalone()
    const client = await server.discovered()
    const calls = [client.callTool('a'), client.callTool('b'), client.callTool('c')]
    const requests = [
      await server.expect('tools/call'),
      await server.expect('tools/call'),
      await server.expect('tools/call'),
    ]
    for (const { id } of requests) server.send({ jsonrpc: '2.0', id, result: { content: [] } })
    await Promise.all(calls)

    expect(new Set(requests.map(({ id }) => id)).size).toBe(3)
    await client.close()
  })

  test('times out a call and says so to the server [N07-CANC-06]', async () => {
    const clock = createVirtualClock()
    const server = openStandalone({ clock })
    const client = await server.discovered()
    const calling = client.callTool('t', {}, { timeouts: { idleMs: 100 } })
    calling.catch(() => undefined)
    const request = await server.expect('tools/call')
    await clock.advance(100)

    await expect(calling).rejects.toMatchObject({ code: 'timeout' })
    const cancelled = await server.expect('notifications/cancelled')
    expect(cancelled.params).toMatchObject({ requestId: request.id })
    await client.close()
  })
})

describe('a call whose connection was lost', () => {
  test.each([
    ['is made again with a new id if that cannot do its work twice', true],
    ['is connection_lost otherwise, and the next one goes to the new process', false],
  ])('%s [N07-CANC-07] [N07-STDIO-05]', async (_, idempotent) => {
    const clock = createVirtualClock()
    const servers: RawStandaloneServer[] = []
    const server = openStandalone({
      clock,
      kind: 'stdio',
      reconnect: true,
      onReopened: (next) => servers.push(next),
    })
    const client = await server.discovered()
    const calling = client.callTool('t', {}, { idempotent })
    const outcome = calling.catch((error: McpError) => error.code)
    await server.expect('tools/call')
    await server.close()
    await clock.advance(500)
    await servers[0]?.discovered()
    if (!idempotent) {
      expect(await outcome).toBe('connection_lost')
      const next = client.callTool('t')
      await servers[0]?.answer('tools/call', { content: [] })
      expect(await next).toEqual({ content: [] })
    } else {
      await servers[0]?.answer('tools/call', { content: [] })
      expect(await outcome).toEqual({ content: [] })
    }
    await client.close()
  })

  test('in the middle of a conversation goes on with what was answered', async () => {
    const clock = createVirtualClock()
    const servers: RawStandaloneServer[] = []
    let count = 0
    const server = openStandalone({
      clock,
      reconnect: true,
      elicit: () => ((count += 1), { action: 'accept', content: {} }),
      onReopened: (next) => servers.push(next),
    })
    const client = await server.discovered()
    const calling = client.callTool('t', {}, { idempotent: true })
    const inputRequests = { a: { method: 'elicitation/create', params: form } }
    const result = { resultType: 'input_required', inputRequests, requestState: 's' }
    await server.answer('tools/call', result)
    await server.expect('tools/call')
    await server.close()
    await clock.advance(500)
    await servers[0]?.discovered()
    const again = await servers[0]?.answer('tools/call', { content: [] })

    expect(await calling).toEqual({ content: [] })
    expect(again?.params).toMatchObject({
      requestState: 's',
      inputResponses: { a: { action: 'accept', content: {} } },
    })
    expect(count).toBe(1)
    await client.close()
  })
})

test('a server over HTTP that no longer speaks the revision is asked anew what it speaks [N07-VER-02]', async () => {
  const clock = createVirtualClock()
  const servers: RawStandaloneServer[] = []
  const server = openStandalone({ clock, kind: 'http', onReopened: (next) => servers.push(next) })
  const client = await server.discovered()
  const listing = client.listTools().toArray()
  const data = { supported: ['2025-11-25'], requested: standalone }
  await server.reject('tools/list', { code: -32022, message: 'no', data })
  await untilIdle()
  await clock.advance(0)
  const next = servers[0] as RawStandaloneServer
  await next.reject('server/discover', { code: -32022, message: 'no', data })
  await next.accept()
  await next.answer('tools/list', { tools: [] })

  expect(await listing).toEqual([])
  expect(client.negotiated.revision).toBe('2025-11-25')
  await client.close()
})
