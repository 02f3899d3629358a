import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'

import type { HttpGuard } from '@parley/mcp/http'
import { createServer } from '@parley/mcp/server'
import { createVirtualClock, testAuth } from '@parley/mcp/testing'
import { type AcceptWebSocketsOptions, checkUpgrade, openWebSocket } from '@parley/mcp/websocket'
import { expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

import { createClient } from '../../../src/client/create-client.ts'
import { openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'
import { closeOf, listen, type Listening } from './sockets.ts'

type Headers = { readonly [name: string]: string }

/** An upgrade by hand: its status, and its body when it is none. */
async function upgrade({ port }: Listening, headers: Headers, path = '/mcp') {
  const asked = request({
    port,
    host: '127.0.0.1',
    path,
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  }).end()
  const [response] = (await Promise.race([once(asked, 'response'), once(asked, 'upgrade')])) as [
    IncomingMessage,
  ]
  const { statusCode: status, headers: answered } = response
  if (status === 101) {
    response.socket.destroy()
    return { status, headers: answered, body: undefined }
  }
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status, headers: answered, body: JSON.parse(text) as unknown }
}

const options: AcceptWebSocketsOptions = {
  url: 'wss://mcp.example.com/mcp',
  allowedHosts: ['internal.example'],
  allowedOrigins: ['https://app.example'],
}

test.each([
  [{}, 101],
  [{ host: 'mcp.example.com' }, 101],
  [{ host: 'internal.example:8080' }, 101],
  [{ host: 'evil.example' }, 403],
  [{ host: '127.0.0.1.evil.example' }, 403],
  [{ origin: 'https://mcp.example.com' }, 101],
  [{ origin: 'https://app.example' }, 101],
  [{ origin: 'http://localhost:5173' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'https://app.example.evil.example' }, 403],
  [{ origin: 'null' }, 403],
] as [Headers, number][])(
  'an upgrade with %j is answered with %s [WS-06]',
  async (headers, status) => {
    await using listening = await listen(createSampleServer().server, options)

    const answer = await upgrade(listening, headers)

    expect(answer.status).toBe(status)
    if (status !== 403) return
    expect(answer.body).toMatchObject({
      jsonrpc: '2.0',
      error: { code: 403, data: { reason: 'forbidden' } },
    })
    expect(listening.service.sockets).toBe(0)
  },
)

test.each([
  ['mcp', 101, 'mcp'],
  ['other, mcp', 101, 'mcp'],
  [undefined, 101, undefined],
  ['other', 400, undefined],
  ['mcp2, xmcp', 400, undefined],
])('offered the subprotocol %s it answers %s, %s [WS-08]', async (offered, status, chosen) => {
  await using listening = await listen(createSampleServer().server)

  const answer = await upgrade(
    listening,
    offered === undefined ? {} : { 'sec-websocket-protocol': offered },
  )

  expect([answer.status, answer.headers['sec-websocket-protocol']]).toEqual([status, chosen])
})

test('says where it is to an upgrade at another path, and to another protocol', async () => {
  await using listening = await listen(createSampleServer().server)

  expect(await upgrade(listening, {}, '/other?x')).toMatchObject({
    status: 404,
    body: { error: { message: 'WebSockets are accepted at /mcp' } },
  })
  expect(await upgrade(listening, {}, '//')).toMatchObject({ status: 404 })
  expect(await upgrade(listening, { upgrade: 'h2c' })).toMatchObject({ status: 426 })
  expect(await upgrade(listening, {}, '/mcp?key=1')).toMatchObject({ status: 101 })
})

test('leaves other paths to other listeners', async () => {
  await using listening = await listen(createSampleServer().server)
  const other = new WebSocketServer({ noServer: true })
  listening.http.on('upgrade', (asked, socket, head) => {
    if (asked.url === '/chat') other.handleUpgrade(asked, socket, head, (chat) => chat.send('hi'))
  })

  const chat = new WebSocket(`ws://127.0.0.1:${listening.port}/chat`)
  const [greeting] = await once(chat, 'message')

  expect(String(greeting)).toBe('hi')
  chat.terminate()
})

test('refuses sockets beyond the limit, and takes new ones when there is room', async () => {
  await using listening = await listen(createSampleServer().server, { maxSockets: 1 })
  const first = new WebSocket(listening.url, ['mcp'])
  await once(first, 'open')

  const rejected = await upgrade(listening, {})
  first.close()
  await vi.waitFor(() => expect(listening.service.sockets).toBe(0))

  expect(rejected).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { error: { code: 503, data: { reason: 'overloaded' } } },
  })
  expect(await upgrade(listening, {})).toMatchObject({ status: 101 })
})

const tokens: { readonly [token: string]: readonly string[] } = {
  'Bearer reader': ['read'],
  'Bearer writer': ['read', 'write'],
}
const guard: HttpGuard = {
  authenticate({ header }) {
    const scopes = tokens[header('Authorization') ?? header('authorization') ?? '']
    return Promise.resolve(
      scopes
        ? { kind: 'allow', auth: testAuth({ scopes }) }
        : {
            kind: 'deny',
            status: 401,
            headers: { 'www-authenticate': 'Bearer realm="mcp"\r\nx-evil: 1' },
            message: 'who are you?',
          },
    )
  },
}

function scopedServer() {
  const server = createServer({ name: 'scoped', version: '1.0.0', onError: () => undefined })
  server.tool('write', { scopes: ['write'] }, (_, { auth }) => auth?.subject ?? 'nobody')
  return server
}

test('asks the guard before a socket exists [WS-06, CUST-04]', async () => {
  await using listening = await listen(scopedServer(), { auth: guard })

  const rejected = await upgrade(listening, {})

  expect(rejected).toMatchObject({ status: 401, body: { error: { message: 'who are you?' } } })
  expect(rejected.headers['www-authenticate']).toBe('Bearer realm="mcp" x-evil: 1')
  await expect(openWebSocket(listening.url)).rejects.toMatchObject({
    code: 'unauthorized',
    details: { challenge: 'Bearer realm="mcp" x-evil: 1' },
  })
})

test('handlers know whom the guard found, and scopes hold', async () => {
  await using listening = await listen(scopedServer(), { auth: guard })
  const open = (authorization: string) => () =>
    openWebSocket(listening.url, { headers: { authorization } })
  await using writer = await createClient(open('Bearer writer'))
  await using reader = await createClient(open('Bearer reader'))

  expect((await writer.callTool('write')).content).toMatchObject([{ text: 'test-user' }])
  await expect(reader.callTool('write')).rejects.toMatchObject({ code: 'insufficient_scope' })
})

test('without a guard nobody has any scope', async () => {
  await using listening = await listen(scopedServer())
  await using client = await createClient(() => openWebSocket(listening.url))

  await expect(client.callTool('write')).rejects.toMatchObject({ code: 'insufficient_scope' })
})

test('closes with 1008 when the authorization expires', async () => {
  const auth = testAuth({ expiresAt: Date.now() + 50 })
  await using listening = await listen(scopedServer(), {
    auth: { authenticate: () => Promise.resolve({ kind: 'allow', auth }) },
  })
  const socket = new WebSocket(listening.url, ['mcp'])

  expect(await closeOf(socket)).toEqual({ code: 1008, reason: 'the authorization has expired' })
})

test('a guard that fails is reported, and its caller learns nothing', async () => {
  const reported: unknown[] = []
  const fault = new Error('the database password is 1234')
  await using listening = await listen(scopedServer(), {
    auth: { authenticate: () => Promise.reject(fault) },
    onError: (error) => reported.push(error),
  })

  const answer = await upgrade(listening, {})

  expect(answer).toMatchObject({ status: 500, body: { error: { message: 'internal error' } } })
  expect(reported).toEqual([fault])
})

test('any origin needs a guard', async () => {
  await expect(listen(scopedServer(), { allowedOrigins: '*' })).rejects.toMatchObject({
    code: 'invalid_definition',
  })
})

test('other runtimes check an upgrade by its request', async () => {
  const url = 'https://mcp.example.com/mcp'
  const headers = { upgrade: 'websocket', 'sec-websocket-protocol': 'mcp' }
  const from = (more: Headers) => new Request(url, { headers: { ...headers, ...more } })

  expect(await checkUpgrade(from({}), { url })).toEqual({ kind: 'allow' })
  expect(
    await checkUpgrade(from({ authorization: 'Bearer reader' }), { url, auth: guard }),
  ).toMatchObject({
    kind: 'allow',
    auth: { subject: 'test-user' },
  })
  expect(await denied(checkUpgrade(from({}), {}))).toBe(403)
  expect(await denied(checkUpgrade(from({ origin: 'https://evil.example' }), { url }))).toBe(403)
  expect(await denied(checkUpgrade(from({ 'sec-websocket-protocol': 'x' }), { url }))).toBe(400)
  expect(await denied(checkUpgrade(from({ upgrade: 'h2c' }), { url }))).toBe(426)
  expect(await denied(checkUpgrade(from({}), { url, auth: guard }))).toBe(401)
})

async function denied(verdict: ReturnType<typeof checkUpgrade>): Promise<number | undefined> {
  const given = await verdict
  return given.kind === 'deny' ? given.response.status : undefined
}

test('one caller has so many sockets, and others still get one', async () => {
  const auth: HttpGuard = {
    authenticate: ({ header }) => ({
      kind: 'allow',
      auth: testAuth({ subject: header('authorization') ?? '' }),
    }),
  }
  await using listening = await listen(createSampleServer().server, {
    auth,
    maxSockets: { total: 3, perPrincipal: 1 },
  })
  const open = (name: string) =>
    createClient(() => openWebSocket(listening.url, { headers: { authorization: name } }))
  const client = await open('ada')

  const second = await upgrade(listening, { authorization: 'ada' })
  await using other = await open('bob')
  await client.close()
  await vi.waitFor(() => expect(listening.service.sockets).toBe(1))
  await using again = await open('ada')

  expect(second).toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  expect(second.body).toMatchObject({ error: { data: { reason: 'overloaded' } } })
  expect([other.status, again.status]).toEqual([{ state: 'ready' }, { state: 'ready' }])
})

test('a handshake that is none keeps no place', async () => {
  await using listening = await listen(createSampleServer().server, { maxSockets: 1 })

  const broken = await upgrade(listening, { 'sec-websocket-key': 'x' }).catch(() => undefined)

  expect(broken?.status ?? 400).toBe(400)
  expect((await upgrade(listening, {})).status).toBe(101)
})

test('closes with 1008 a socket on which nothing is said', async () => {
  const clock = createVirtualClock()
  await using listening = await listen(createSampleServer().server, { clock, keepAliveMs: 0 })
  const [silent, used] = [new WebSocket(listening.url), new WebSocket(listening.url)]
  const closing = closeOf(silent)
  await Promise.all([once(silent, 'open'), once(used, 'open')])
  used.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
  await once(used, 'message')

  await clock.advance(30_000)

  expect(await closing).toMatchObject({ code: 1008 })
  expect(used.readyState).toBe(WebSocket.OPEN)
})

test('believes the host that a named proxy forwards, and no other', async () => {
  const forwarded = { host: 'internal:8080', 'x-forwarded-host': 'mcp.example.com' }
  const { server } = createSampleServer()
  await using named = await listen(server, { ...options, trustedProxies: ['127.0.0.1'] })
  await using unnamed = await listen(server, options)

  expect((await upgrade(named, forwarded)).status).toBe(101)
  expect((await upgrade(unnamed, forwarded)).status).toBe(403)
})

test('shows the guard both of two credentials', async () => {
  const seen: (string | undefined)[] = []
  await using listening = await listen(createSampleServer().server, {
    auth: {
      authenticate({ header }) {
        seen.push(header('authorization'))
        return { kind: 'deny', status: 401, headers: {}, message: 'no' }
      },
    },
  })
  using socket = await openSocket(listening.port)

  socket.write(
    `GET /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      `authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n`,
  )
  await socket.closed

  expect(seen).toEqual(['Bearer a, Bearer b'])
})
