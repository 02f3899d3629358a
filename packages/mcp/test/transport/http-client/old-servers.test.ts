import { connect } from '@parley/mcp/client'
import { describe, expect, test } from 'vitest'

import { legacyRevisions } from '../../../src/wire/revisions.ts'
import {
  openScriptedServer,
  progress,
  result,
  said,
  serverInfo,
  type Events,
  type Message,
  type Script,
  type ScriptedServer,
} from './scripted-server.ts'

interface OldServer {
  readonly server: ScriptedServer
  readonly streams: Events[]
}

/** A server of 2024-11-05: GET gives the stream, messages go to where its first event says. */
async function openOldServer({
  endpoint = '/messages?id=1',
  rejection = (reply) => reply.status(405),
  protocolVersion = '2024-11-05',
  postStatus = 202,
}: {
  endpoint?: string
  rejection?: Script
  protocolVersion?: string
  postStatus?: number
} = {}): Promise<OldServer> {
  const streams: Events[] = []
  const answers: Record<string, (message: Message) => object> = {
    initialize: () => ({ ...serverInfo, protocolVersion }),
    'tools/call': () => said('old'),
  }
  const server = await openScriptedServer({
    GET(reply) {
      const events = reply.stream()
      streams.push(events)
      setTimeout(() => events.raw(`event: endpoint\ndata: ${endpoint}\n\n`), 5)
    },
    POST(reply) {
      if (reply.path === '/mcp') return rejection(reply)
      const script = server.scripts[reply.message.method ?? '']
      if (script && reply.message.method === 'slow') return script(reply)
      reply.status(postStatus, 'Accepted')
      const { id, method = '' } = reply.message
      if (id === undefined || reply.message.method === undefined) return undefined
      const answer = answers[method]?.(reply.message) ?? {}
      return streams.at(-1)?.event(result(id, answer))
    },
  })
  return { server, streams }
}

describe('a server that speaks only HTTP+SSE', () => {
  test.each<[number, string]>([
    [400, 'bad'],
    [404, '<pre>Cannot POST /mcp</pre>'],
    [405, ''],
  ])(
    'is found after %i to initialize, and used [HCOMPAT-03] [HCOMPAT-04] [HCOMPAT-05] [XREV-15] [N11-HTTP-12]',
    async (status, body) => {
      const { server } = await openOldServer({ rejection: (reply) => reply.status(status, body) })
      await using closing = server
      await using client = await connect(closing.url)

      expect(await client.callTool('do')).toEqual(said('old'))

      expect(client.negotiated).toMatchObject({ transport: 'sse', revision: '2024-11-05' })
      const [discover, probe, stream, ...messages] = server.seen
      expect([discover, probe]).toMatchObject(
        ['server/discover', 'initialize'].map((method) => ({
          verb: 'POST',
          path: '/mcp',
          headers: { accept: 'application/json, text/event-stream' },
          message: { method },
        })),
      )
      expect(stream).toMatchObject({ verb: 'GET', headers: { accept: 'text/event-stream' } })
      // Everything else goes to the address it named, and nothing before it did. [R1105-03]
      expect(messages.map(({ path, message }) => [path, message.method])).toEqual([
        ['/messages?id=1', 'initialize'],
        ['/messages?id=1', 'notifications/initialized'],
        ['/messages?id=1', 'tools/call'],
      ])
    },
  )

  test.each([401, 403, 406, 413, 415, 422, 429])(
    'is not looked for after %i [N11-HTTP-12]',
    async (status) => {
      const { server } = await openOldServer({ rejection: (reply) => reply.status(status) })
      await using closing = server

      await expect(connect(closing.url)).rejects.toMatchObject({ name: 'McpError' })

      const asked = ['server/discover', 'initialize'].slice(
        0,
        [406, 415, 422].includes(status) ? 2 : 1,
      )
      expect(server.seen.map(({ message }) => message.method)).toEqual(asked)
    },
  )

  test('can be asked for outright, with credentials [R1105-03]', async () => {
    const { server } = await openOldServer()
    await using closing = server
    await using client = await connect({
      type: 'sse',
      url: closing.url,
      headers: { authorization: 'Bearer t' },
    })

    await client.ping()

    expect(server.seen[0]?.verb).toBe('GET')
    expect(server.seen.every(({ headers }) => headers.authorization === 'Bearer t')).toBe(true)
  })

  test('is not looked for when the newer way is asked for outright', async () => {
    const { server } = await openOldServer()
    await using closing = server

    await expect(connect({ type: 'http', url: closing.url })).rejects.toMatchObject({
      code: 'http_error',
      details: { status: 405 },
    })
    expect(server.sent('GET')).toEqual([])
  })

  test.each([
    ['messages', '/messages'],
    ['./messages?a=b', '/messages?a=b'],
    ['?session=1', '/mcp?session=1'],
  ])('may name the address as %j [R1105-04]', async (endpoint, path) => {
    const { server } = await openOldServer({ endpoint })
    await using closing = server
    if (path.startsWith('/mcp')) {
      server.scripts['POST'] = (reply) => {
        if (reply.path === '/mcp') return reply.status(405)
        reply.status(202)
        return undefined
      }
      void connect(closing.url).catch(() => undefined)
      expect((await server.until('initialize', 2)).path).toBe(path)
      return
    }
    await using client = await connect(closing.url)
    await client.ping()

    expect(server.sent('ping')[0]?.path).toBe(path)
  })

  test.each([
    'http://127.0.0.1:1/messages',
    'https://evil.example/',
    '//evil.example/x',
    'http://[',
  ])('may not send us to %j [R1105-04, SECX-13]', async (endpoint) => {
    const { server } = await openOldServer({ endpoint })
    await using closing = server

    await expect(connect(closing.url)).rejects.toMatchObject({
      code: 'invalid_message',
      message: expect.stringContaining('origin'),
    })
    expect(server.sent('initialize')).toHaveLength(1)
  })

  test.each([200, 201, 202, 204])(
    'may answer %i to what we send [R1105-06]',
    async (postStatus) => {
      const { server } = await openOldServer({ postStatus })
      await using closing = server
      await using client = await connect(closing.url)

      await client.ping()
    },
  )

  test.each(legacyRevisions)('may agree to %s all the same [XREV-13]', async (protocolVersion) => {
    const { server } = await openOldServer({ protocolVersion })
    await using closing = server
    await using client = await connect(closing.url)

    await client.ping()

    expect(client.negotiated).toMatchObject({ transport: 'sse', revision: protocolVersion })
    // The rules of HTTP go with the transport: it knows neither header. [R1105-08]
    const [, ...later] = server.seen // without the question whether it needs a handshake at all
    for (const { headers } of later) {
      expect(headers).not.toHaveProperty('mcp-protocol-version')
      expect(headers).not.toHaveProperty('mcp-session-id')
    }
  })

  test('says everything on its one stream [R1105-05]', async () => {
    const { server, streams } = await openOldServer()
    await using closing = server
    const received: number[] = []
    await using client = await connect(closing.url)
    server.scripts['slow'] = (reply) => {
      reply.status(202)
      streams[0]?.raw('event: message\n')
      streams[0]?.event(progress(reply.message.id, 1))
      streams[0]?.event({ jsonrpc: '2.0', id: 'q', method: 'ping' })
      streams[0]?.event(result(reply.message.id, {}))
    }

    await client.request('slow', {}, { onProgress: (at) => received.push(at.progress) })

    expect(received).toEqual([1])
    await expect.poll(() => server.seen.at(-1)?.message).toMatchObject({ id: 'q', result: {} })
  })

  test('has lost the session when its stream ends; a new one begins with a new handshake [R1105-08]', async () => {
    const { server, streams } = await openOldServer()
    await using closing = server
    server.scripts['slow'] = (reply) => reply.status(202)
    await using client = await connect(closing.url, { reconnect: { minDelayMs: 1 } })
    const pending = client.request('slow').catch((error: unknown) => error)
    await server.until('slow')

    streams[0]?.cut()

    expect(await pending).toMatchObject({ code: 'connection_lost' })
    expect(await client.callTool('do')).toEqual(said('old'))
    expect(streams).toHaveLength(2)
    expect(server.seen.some(({ headers }) => 'last-event-id' in headers)).toBe(false)
  })

  test('is left without a trace by closing', async () => {
    const { server } = await openOldServer()
    await using closing = server
    const client = await connect(closing.url)

    await client.close()

    expect(server.sent('DELETE')).toEqual([])
    await expect.poll(() => server.sockets.size).toBe(0)
  })

  test.each([400, 413])('fails one call by %i and goes on', async (status) => {
    const { server } = await openOldServer()
    await using closing = server
    server.scripts['slow'] = (reply) => reply.status(status, 'no')
    await using client = await connect(closing.url)

    await expect(client.request('slow')).rejects.toMatchObject({
      code: 'http_error',
      details: { status },
    })
    await client.ping()
  })
})

test.each<[string, Script]>([
  ['says 405 to that too', (reply) => reply.status(405)],
  ['shows a page', (reply) => reply.status(200, '<p>', { 'content-type': 'text/html' })],
  ['ends the stream at once', (reply) => reply.stream().end()],
])('a server that is neither, and %s, is told by its first refusal', async (_, get) => {
  await using server = await openScriptedServer({
    POST: (reply) => reply.status(404, 'Not here'),
    GET: get,
  })

  await expect(connect(server.url)).rejects.toMatchObject({
    code: 'http_error',
    details: { status: 404, excerpt: 'Not here' },
    hint: expect.stringContaining('path'),
  })
})

test('an old server that wants credentials says so [HCOMPAT-05]', async () => {
  await using server = await openScriptedServer({
    POST: (reply) => reply.status(405),
    GET: (reply) => reply.status(401, '', { 'www-authenticate': 'Bearer' }),
  })

  await expect(connect(server.url)).rejects.toMatchObject({
    code: 'unauthorized',
    details: { challenge: 'Bearer' },
  })
})

test('a JSON-RPC error to initialize is an answer, not the silence of an old server', async () => {
  await using server = await openScriptedServer({
    POST: (reply) =>
      reply.status(400, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }),
  })

  await expect(connect(server.url)).rejects.toMatchObject({ name: 'RpcError' })
  expect(server.sent('GET')).toEqual([])
})

test('an old server may refuse the POST in words of JSON-RPC [HCOMPAT-05]', async () => {
  const error = { code: -32000, message: 'POST is not offered here' }
  const { server } = await openOldServer({
    rejection: (reply) => reply.status(405, { jsonrpc: '2.0', id: null, error }),
  })
  await using closing = server

  await using client = await connect(closing.url)

  await client.ping()
})

test('an endpoint that is no old one, taken for it, says so by its status', async () => {
  const error = { code: -32000, message: 'Mcp-Session-Id is missing' }
  await using server = await openScriptedServer({
    GET: (reply) => reply.status(400, { jsonrpc: '2.0', id: null, error }),
  })

  await expect(connect({ type: 'sse', url: server.url })).rejects.toMatchObject({
    code: 'http_error',
    details: { status: 400, excerpt: 'Mcp-Session-Id is missing' },
  })
})
