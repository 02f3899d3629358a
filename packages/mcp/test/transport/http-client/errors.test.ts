import { createServer as createTcpServer, type AddressInfo } from 'node:net'

import { connect, type ConnectOptions } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { openScriptedServer, progress, result, said, type Script } from './scripted-server.ts'

const quiet: ConnectOptions = { onError: () => undefined }

describe.each<[string, ConnectOptions]>([
  ["Node's agent", {}],
  ['fetch', { fetch: globalThis.fetch }],
])('by %s', (_, options) => {
  test('a name that does not resolve is unreachable, with a hint', async () => {
    await expect(connect('http://no-such-host.invalid/mcp', options)).rejects.toMatchObject({
      code: 'unreachable',
      retryable: true,
      peer: 'http://no-such-host.invalid/mcp',
      details: { systemCode: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
      hint: expect.stringContaining('host'),
    })
  })

  test('a port nobody listens on is unreachable, with a hint', async () => {
    const server = await openScriptedServer()
    await server.stop()

    await expect(connect(server.url, options)).rejects.toMatchObject({
      code: 'unreachable',
      details: { systemCode: 'ECONNREFUSED' },
      hint: expect.stringContaining('port'),
    })
  })

  test('a server that does not speak TLS is unreachable by https', async () => {
    await using server = await openScriptedServer()

    await expect(connect(server.url.replace('http:', 'https:'), options)).rejects.toMatchObject({
      code: expect.stringMatching(/unreachable|connection_lost/),
    })
  })

  test('a server that hangs up without a word is a lost connection', async () => {
    await using server = await openScriptedServer({
      initialize: (reply) => reply.response.socket?.destroy(),
    })

    await expect(connect(server.url, options)).rejects.toMatchObject({
      code: 'connection_lost',
      details: { sent: true },
    })
  })

  test('when to ask again is told with a refusal, in terms of HTTP and of the protocol', async () => {
    const error = { code: -32000, message: 'busy' }
    const rejections = {
      plain: 'busy',
      rpc: { jsonrpc: '2.0', id: null, error },
      said: { jsonrpc: '2.0', id: null, error: { ...error, data: { retryAfterMs: 1_500 } } },
    }
    await using server = await openScriptedServer({
      'tools/call'({ message, status }) {
        const { name } = message.params ?? {}
        const body = rejections[name as keyof typeof rejections] // the names used below
        status(429, body, { 'retry-after': '2' })
      },
    })
    await using client = await connect(server.url, options)

    await expect(client.callTool('plain')).rejects.toMatchObject({
      code: 'http_error',
      details: { status: 429, retryAfterMs: 2_000 },
    })
    await expect(client.callTool('rpc')).rejects.toMatchObject({ data: { retryAfterMs: 2_000 } })
    await expect(client.callTool('said')).rejects.toMatchObject({ data: { retryAfterMs: 1_500 } })
  })

  test('an answer that goes beyond the limit is refused, as JSON and as an event', async () => {
    const large = said('x'.repeat(200_000))
    await using server = await openScriptedServer({
      'tools/call'(reply) {
        if (reply.message.params?.['name'] === 'json') return reply.json(large)
        const events = reply.stream()
        events.event(progress(reply.message.id, 1), 'e1')
        events.event(result(reply.message.id, large))
        return events.end()
      },
    })
    await using client = await connect(server.url, {
      ...options,
      limits: { messageBytes: 100_000 },
    })

    for (const name of ['json', 'event']) {
      await expect(client.callTool(name)).rejects.toMatchObject({
        code: 'limit_exceeded',
        details: { limit: 'messageBytes', allowed: 100_000 },
        hint: expect.stringContaining('limits.messageBytes'),
      })
    }
    await client.ping()
    expect(server.sent('GET')).toEqual([])
  })

  test('an answer without an end is refused at the limit', async () => {
    await using server = await openScriptedServer({
      'tools/call'({ response }) {
        response.writeHead(200, { 'content-type': 'application/json' })
        const timer = setInterval(() => response.write('x'.repeat(65_536)), 1)
        response.once('close', () => clearInterval(timer))
      },
      ping({ response }) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const timer = setInterval(() => response.write(`data: ${'x'.repeat(65_536)}\n`), 1)
        response.once('close', () => clearInterval(timer))
      },
    })
    await using client = await connect(server.url, {
      ...options,
      limits: { messageBytes: 500_000 },
    })

    await expect(client.callTool('do')).rejects.toMatchObject({ code: 'limit_exceeded' })
    await expect(client.ping()).rejects.toMatchObject({ code: 'limit_exceeded' })
    await client.listTools().toArray()
  })

  test('a server that is slow is waited for as long as the call may take, and no longer', async () => {
    await using server = await openScriptedServer({
      'tools/call': (reply) => setTimeout(() => reply.json(said('slow')), 150),
      ping: () => undefined,
    })
    await using client = await connect(server.url, options)

    expect(await client.callTool('do')).toEqual(said('slow'))
    await expect(client.ping({ timeouts: { idleMs: 50 } })).rejects.toMatchObject({
      code: 'timeout',
    })
    await client.listTools().toArray()
  })
})

test('a server that never answers initialize fails within the limit of connecting', async () => {
  await using server = await openScriptedServer({ initialize: () => undefined })

  await expect(connect(server.url, { timeouts: { connectMs: 50 } })).rejects.toMatchObject({
    code: 'timeout',
    details: { limit: 'connect' },
  })
  await expect.poll(() => server.sockets.size).toBe(0)
})

test('a server of another protocol is told from a broken connection', async () => {
  const server = createTcpServer((socket) => socket.end('220 mail.example ESMTP\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server

  await expect(connect(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
    code: 'connection_lost',
    cause: expect.objectContaining({ systemCode: expect.stringMatching(/^HPE_/) }),
  })
  server.close()
})

test.each<[string, string, string]>([
  ['HTML', 'text/html; charset=utf-8', '<!doctype html>\n  <title>Sign in</title>'],
  ['plain text', 'text/plain', 'hello'],
])('%s is not MCP, and the error shows what came', async (_, contentType, body) => {
  await using server = await openScriptedServer({
    initialize: (reply) => reply.status(200, body, { 'content-type': contentType }),
  })

  await expect(connect(server.url)).rejects.toMatchObject({
    code: 'not_mcp',
    retryable: false,
    details: { status: 200, contentType, excerpt: body.replace(/\s+/g, ' ') },
    hint: expect.stringContaining('/mcp'),
  })
})

test.each<[string, Script]>([
  ['202', (reply) => reply.status(202)],
  ['204', (reply) => reply.status(204)],
  ['JSON for another request', (reply) => reply.status(200, result(99, {}))],
  ['a notification', (reply) => reply.status(200, progress(1, 1))],
  [
    'no JSON, called JSON',
    (reply) => reply.status(200, '{', { 'content-type': 'application/json' }),
  ],
  ['an empty list', (reply) => reply.status(200, [])],
])('a request answered by %s fails by itself', async (_, script) => {
  await using server = await openScriptedServer({ ping: script })
  await using client = await connect(server.url, quiet)

  await expect(client.ping()).rejects.toMatchObject({ code: 'invalid_message' })
  await client.listTools().toArray()
  expect(server.seen.filter(({ body }) => body.includes('"error"'))).toEqual([])
})

test('garbage among events is passed over, and the answer found', async () => {
  const garbage = [
    ': comment\n\n',
    'data: {"jsonrpc":\n\n',
    'event: other\ndata: {"jsonrpc":"2.0"}\n\n',
    'nonsense\n\n\n\n',
    'retry: soon\n\n',
    'id: \u0000\ndata: []\n\n',
    'data: null\n\n',
    '\r\n\r',
    'data\n\n',
  ]
  await using server = await openScriptedServer({
    'tools/call'(reply) {
      const events = reply.stream()
      for (const text of garbage) events.raw(text)
      events.raw(`\ufeffid: 1\r\ndata: ${JSON.stringify(result(reply.message.id, said('found')))}`)
      setTimeout(() => events.raw('\r\n\r\n'), 5)
    },
  })
  await using client = await connect(server.url, quiet)

  expect(await client.callTool('do')).toEqual(said('found'))
})

test.each([
  [500, false],
  [501, false],
  [502, true],
  [503, true],
  [504, true],
  [418, false],
  [429, false],
])('status %i is an HTTP error; that it may be tried again: %s', async (status, retryable) => {
  await using server = await openScriptedServer({ ping: (reply) => reply.status(status, 'down') })
  await using client = await connect(server.url)

  await expect(client.ping()).rejects.toMatchObject({
    code: 'http_error',
    retryable,
    details: { status, excerpt: 'down' },
  })
  await client.listTools().toArray()
})

test.each([400, 403, 404, 406, 413, 500, 503])(
  'a JSON-RPC error that comes with status %i is the error of its request, whatever its id',
  async (status) => {
    const error = { code: -32602, message: 'no such thing', data: { issues: [] } }
    await using server = await openScriptedServer({
      'tools/call': (reply) => reply.status(status, { jsonrpc: '2.0', error, id: null }),
    })
    await using client = await connect(server.url)

    await expect(client.callTool('do')).rejects.toMatchObject({
      name: 'RpcError',
      code: 'invalid_params',
      message: expect.stringContaining('no such thing'),
    })
  },
)

test('a notification that is refused is reported, and nothing else happens', async () => {
  const errors: unknown[] = []
  await using server = await openScriptedServer({
    'notifications/roots/list_changed': (reply) => reply.status(500, 'oops'),
  })
  await using client = await connect(server.url, {
    roots: [],
    onError: (error, { operation }) => errors.push([operation, error]),
  })

  await client.setRoots([])

  await expect
    .poll(() => errors)
    .toEqual([
      [
        'notifications/roots/list_changed',
        expect.objectContaining({ code: 'http_error', details: { status: 500, excerpt: 'oops' } }),
      ],
    ])
  expect(client.status.state).toBe('ready')
})

test('a header that HTTP does not allow is refused without being shown', async () => {
  const headers = { authorization: 'Bearer sec\nret' }

  await expect(connect('http://127.0.0.1:1/mcp', { headers })).rejects.toMatchObject({
    code: 'invalid_target',
    message: expect.not.stringContaining('ret"'),
  })
})

test('neither credentials nor a query are in what is shown of an address', async () => {
  await using server = await openScriptedServer({ initialize: (reply) => reply.status(500) })
  const url = new URL(server.url)
  url.username = 'us%20er'
  url.password = 'pass'
  url.search = '?key=secret'

  const error: unknown = await connect(url).catch((reason: unknown) => reason)

  expect(error).toMatchObject({ code: 'http_error', peer: server.url })
  expect(JSON.stringify(error) + String(error)).not.toMatch(/pass|secret/)
  expect(server.seen[0]).toMatchObject({
    path: '/mcp?key=secret',
    headers: { authorization: `Basic ${Buffer.from('us er:pass').toString('base64')}` },
  })
})
