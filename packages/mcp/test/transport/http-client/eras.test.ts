import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import type { HttpTransportOptions } from '../../../src/transport/http-client/http-transport.ts'
import { openStandalone, version } from './modern-requests.ts'
import { openScriptedServer, said, serverInfo, type Script } from './scripted-server.ts'

const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c' } }
const sessions: Script = (reply) => reply.json(serverInfo, { 'mcp-session-id': 's-1' })

describe.each<[string, HttpTransportOptions]>([
  ["Node's agent", {}],
  ['fetch', { fetch: globalThis.fetch }],
])('two eras on one transport, by %s', (_, options) => {
  test.each<[number, string]>([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [400, 'http_error'],
    [404, 'http_error'],
    [405, 'http_error'],
    [406, 'http_error'],
    [415, 'http_error'],
    [429, 'http_error'],
    [500, 'http_error'],
    [503, 'http_error'],
  ])(
    'a probe answered %i without an error of the protocol is %s, and nothing else is tried [N07-COMP-04] [N07-COMP-05]',
    async (status, code) => {
      await using server = await openScriptedServer({
        'server/discover': (reply) => reply.status(status, 'no'),
        GET: (reply) => reply.stream().raw('event: endpoint\ndata: /messages\n\n'),
      })
      await using client = openStandalone(server, options)

      await expect(client.request('server/discover')).rejects.toMatchObject({
        name: 'McpError',
        code,
        ...(code === 'http_error' && { details: { status, excerpt: 'no' } }),
      })
      await client.plain('initialize', hello)

      expect(server.seen.map(({ verb, message }) => message.method ?? verb)).toEqual([
        'server/discover',
        'initialize',
      ])
      expect(client.ended).toBeUndefined()
    },
  )

  test.each<[string, Script, string]>([
    ['a page', (reply) => reply.status(200, '<html>', { 'content-type': 'text/html' }), 'not_mcp'],
    ['nothing', (reply) => reply.status(202), 'invalid_message'],
    ['other JSON', (reply) => reply.status(200, { ok: true }), 'invalid_message'],
  ])('a probe answered with %s fails alone', async (_what, script, code) => {
    await using server = await openScriptedServer({ 'server/discover': script })
    await using client = openStandalone(server, options)

    await expect(client.request('server/discover')).rejects.toMatchObject({ code })
    expect(await client.plain('initialize', hello)).toEqual(serverInfo)
  })

  test('after a probe, a session is what it ever was [N07-XHDR-09]', async () => {
    await using server = await openScriptedServer({
      'server/discover': (reply) => reply.status(400, 'Bad Request: no session'),
      initialize: sessions,
    })
    const client = openStandalone(server, options)
    await client.request('server/discover').catch(() => undefined)
    await client.plain('initialize', hello)
    client.notify('notifications/initialized')
    await client.plain('tools/call', { name: 'do', arguments: { region: 'eu' } })
    await client[Symbol.asyncDispose]()

    const [, ...later] = server.seen
    expect(later.map(({ verb, message }) => message.method ?? verb)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'DELETE',
    ])
    for (const { headers } of later) {
      expect(
        Object.keys(headers).filter((name) => /^mcp-(?:method|name|param)/.test(name)),
      ).toEqual([])
    }
    expect(later.slice(1).map(({ headers }) => headers['mcp-session-id'])).toEqual(
      Array.from({ length: 3 }, () => 's-1'),
    )
    expect(later.at(-1)?.headers['mcp-protocol-version']).toBe('2025-06-18')
  })

  test('after a probe, an old server is found by initialize [N07-COMP-05]', async () => {
    let say = (_message: object): void => {}
    await using server = await openScriptedServer({
      POST(reply) {
        if (reply.path !== '/messages') return reply.status(404, 'Cannot POST /mcp')
        reply.status(202)
        const { id } = reply.message
        return say({ jsonrpc: '2.0', id, result: { ...serverInfo, protocolVersion: '2024-11-05' } })
      },
      GET(reply) {
        const events = reply.stream()
        events.raw('event: endpoint\ndata: /messages\n\n')
        say = events.event
      },
    })
    await using client = openStandalone(server, options)

    await expect(client.request('server/discover')).rejects.toMatchObject({ code: 'http_error' })
    expect(client.kind).toBe('http')
    expect(server.sent('GET')).toEqual([])
    expect(await client.plain('initialize', hello)).toMatchObject({
      protocolVersion: '2024-11-05',
    })
    expect(client.kind).toBe('sse')
  })

  test('amid a session, a request that stands for itself neither uses it nor loses it', async () => {
    await using server = await openScriptedServer({
      initialize: sessions,
      'server/discover': (reply) => reply.status(404, 'unknown'),
      'tools/list': (reply) => reply.json({ tools: [] }),
    })
    await using client = openStandalone(server, options)
    await client.plain('initialize', hello)
    client.notify('notifications/initialized')

    await expect(client.request('server/discover')).rejects.toMatchObject({
      code: 'http_error',
      details: { status: 404 },
    })

    expect(server.sent('server/discover')[0]?.headers['mcp-session-id']).toBeUndefined()
    expect(await client.plain('tools/list')).toEqual({ tools: [] })
    expect(server.sent('tools/list')[0]?.headers['mcp-session-id']).toBe('s-1')
    expect(server.sent('tools/list')[0]?.headers['mcp-method']).toBeUndefined()
  })

  test('a session still cancels by notification after a probe [HPOST-16]', async () => {
    await using server = await openScriptedServer({
      'server/discover': (reply) => reply.status(404),
      initialize: sessions,
    })
    await using client = openStandalone(server, options)
    await client.request('server/discover').catch(() => undefined)
    await client.plain('initialize', hello)

    client.notify('notifications/cancelled', { requestId: 7 })

    const { headers } = await server.until('notifications/cancelled')
    expect(headers['mcp-session-id']).toBe('s-1')
  })
})

test('a notification between requests says its method and their revision', async () => {
  await using server = await openScriptedServer()
  await using client = openStandalone(server)
  await client.request('tools/list')

  client.notify('notifications/of-an-extension', { more: true })

  const { headers } = await server.until('notifications/of-an-extension')
  expect(headers).toMatchObject({
    'mcp-protocol-version': version,
    'mcp-method': 'notifications/of-an-extension',
  })
})

test('neither answers nor late cancellations are sent where nobody may send them [N07-DIR-02] [N07-DIR-05]', async () => {
  await using server = await openScriptedServer({
    'tools/call'(reply) {
      const events = reply.stream()
      events.event({ jsonrpc: '2.0', id: 'q', method: 'roots/list' })
      events.event({ jsonrpc: '2.0', id: reply.message.id, result: said('done') })
      events.end()
    },
  })
  const client = openStandalone(server)

  expect(await client.request('tools/call', { name: 'do' })).toEqual(said('done'))
  client.notify('notifications/cancelled', { requestId: 1 })
  await client.request('tools/list')
  await client[Symbol.asyncDispose]() // what is on its way arrives first

  expect(server.seen.map(({ message }) => message.method)).toEqual(['tools/call', 'tools/list'])
})

test('a client in a session sends no header that repeats an argument [N07-XHDR-09]', async () => {
  const inputSchema = {
    type: 'object',
    properties: { region: { type: 'number', 'x-mcp-header': 'Region' } },
  }
  await using server = await openScriptedServer({
    'tools/list': (reply) => reply.json({ tools: [{ name: 'do', inputSchema }] }),
  })
  await using client = await connect(server.url, { protocolVersion: 'legacy' })

  expect(await client.listTools().toArray()).toHaveLength(1)
  await client.callTool('do', { region: 7 })

  expect(server.sent('tools/call')[0]?.headers['mcp-param-region']).toBeUndefined()
})
