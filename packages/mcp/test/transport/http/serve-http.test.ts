import { Server as HttpServer } from 'node:http'

import { isMcpError } from '@parley/mcp'
import { serveHttp } from '@parley/mcp/node'
import { openWebSocket } from '@parley/mcp/websocket'
import { afterEach, expect, test, vi } from 'vitest'

import { definitionOf } from '../../../src/server/server.ts'
import { askByHand, initialize } from '../../support/http-endpoint.ts'
import { head, openSocket } from '../../support/raw-socket.ts'
import { createSampleServer } from '../../support/sample-server.ts'

const quiet = { port: 0, ownsProcess: false, onError: () => undefined }
afterEach(() => {
  vi.restoreAllMocks()
  vi.doUnmock('../../../src/transport/websocket/load-ws.ts')
})

const json = { accept: 'application/json', 'content-type': 'application/json' }

test('listens on loopback, at /mcp [HTTP-04] [R1105-07]', async () => {
  await using service = await serveHttp(createSampleServer().server, quiet)
  const port = Number(service.url.port)

  const response = await askByHand(port, { method: 'POST', headers: json, body: initialize() })

  expect(service.url.href).toBe(`http://127.0.0.1:${port}/mcp`)
  expect(response.status).toBe(200)
})

test('is not public by accident [HTTP-04, SECX-10]', async () => {
  const { server } = createSampleServer()
  const url = 'https://api.example/mcp'

  await expect(serveHttp(server, { ...quiet, host: '0.0.0.0' })).rejects.toThrow(
    /needs url.* and auth/,
  )
  await expect(serveHttp(server, { ...quiet, host: '0.0.0.0', url })).rejects.toThrow(/needs auth/)
  await using service = await serveHttp(server, {
    ...quiet,
    host: '0.0.0.0',
    url,
    allowAnonymous: true,
  })
  expect(service.url.pathname).toBe('/mcp')
})

test('answers other paths by 404 and JSON, also what is hardly a path', async () => {
  await using service = await serveHttp(createSampleServer().server, quiet)
  const port = Number(service.url.port)

  for (const path of ['/', '//', '/mcp/', '/mcp/sse', '//[', '/%', '/mcp%2f', '/?x=/mcp']) {
    const response = await askByHand(port, { path })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('/mcp') as string },
    })
  }
  expect((await askByHand(port, { path: '/mcp?x=1' })).status).toBe(400)
})

test('tells a page of a named origin about another path', async () => {
  const origin = 'https://app.example'
  await using service = await serveHttp(createSampleServer().server, {
    ...quiet,
    allowedOrigins: [origin],
  })
  const port = Number(service.url.port)
  const ask = async (method: string, from: string) => {
    const { status, headers } = await askByHand(port, {
      method,
      path: '/mpc',
      headers: { origin: from },
    })
    return [status, headers.get('access-control-allow-origin')]
  }

  expect(await ask('OPTIONS', origin)).toEqual([204, origin])
  expect(await ask('POST', origin)).toEqual([404, origin])
  expect(await ask('OPTIONS', 'https://evil.example')).toEqual([404, null])
})

test('takes a whole URL in place of a path', async () => {
  await using service = await serveHttp(createSampleServer().server, quiet)
  using socket = await openSocket(Number(service.url.port))

  socket.write('GET http://localhost/mcp?x HTTP/1.1\r\nhost: localhost\r\n\r\n')

  expect(await socket.until('}')).toMatch(/^HTTP\/1\.1 400 [^]*Mcp-Session-Id/)
})

test('says whether it lives and whether it is ready', async () => {
  const { server, release, calls } = createSampleServer()
  const service = await serveHttp(server, { ...quiet, drainMs: 5_000 })
  const port = Number(service.url.port)
  const open = await askByHand(port, { method: 'POST', headers: json, body: initialize() })
  await open.text()
  const session = open.headers.get('mcp-session-id') ?? ''
  const hang = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } }
  const headers = { ...json, 'mcp-session-id': session }
  const calling = askByHand(port, { method: 'POST', headers, body: hang })
  await expect.poll(() => calls.hang).toBe(1)
  const statuses = async () =>
    Promise.all(
      ['/healthz', '/readyz'].map(async (path) => (await askByHand(port, { path })).status),
    )

  const before = await statuses()
  const draining = service.drain()
  const during = await statuses()
  release()

  expect([before, during]).toEqual([
    [200, 200],
    [200, 503],
  ])
  expect(await (await calling).json()).toMatchObject({ id: 1, result: {} })
  expect(await draining).toEqual({ finished: 1, aborted: 0 })
  await expect(askByHand(port, { path: '/healthz' })).rejects.toThrow()
  await service.closed
})

test('serves the old endpoints at their paths', async () => {
  await using service = await serveHttp(createSampleServer().server, {
    ...quiet,
    path: '/',
    legacySse: true,
  })
  const port = Number(service.url.port)
  using socket = await openSocket(port)

  socket.write('GET /sse HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const text = await socket.until('\n\n')
  const path = /data: (\S+)/.exec(text)?.[1] ?? ''
  const taken = await askByHand(port, { method: 'POST', path, headers: json, body: initialize() })

  expect(path).toMatch(/^\/message\?sessionId=/)
  expect(taken.status).toBe(202)
  expect(await socket.until('"serverInfo"')).toContain('event: message')
})

test('answers what is no HTTP, and heads that are too large, with JSON', async () => {
  await using service = await serveHttp(createSampleServer().server, quiet)
  const port = Number(service.url.port)
  const [garbage, large] = [await openSocket(port), await openSocket(port)]

  garbage.write('\u0000\u0001 no HTTP\r\n\r\n')
  large.write(head({ 'x-large': 'x'.repeat(100_000) }))

  expect(await garbage.closed).toMatch(/^HTTP\/1\.1 400 [^]*"jsonrpc":"2.0"/)
  expect(await large.closed).toMatch(/^HTTP\/1\.1 431 [^]*"jsonrpc":"2.0"/)
})

test('takes no two of what there is one of', async () => {
  await using service = await serveHttp(createSampleServer().server, quiet)
  using socket = await openSocket(Number(service.url.port))

  socket.write('GET /mcp HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n')

  expect(await socket.until('}')).toMatch(/^HTTP\/1\.1 403 /)
})

test('counts sockets by the same cap as sessions', async () => {
  await using service = await serveHttp(createSampleServer().server, {
    ...quiet,
    websocket: true,
    maxSessions: 1,
  })
  const url = service.url.href.replace('http', 'ws')
  await using socket = await openWebSocket(url)

  await expect(openWebSocket(url)).rejects.toMatchObject({ details: { status: 503 } })
  expect(socket.kind).toBe('websocket')
})

test('serves old clients at a path of theirs', async () => {
  await using service = await serveHttp(createSampleServer().server, {
    ...quiet,
    path: '/sse',
    legacySse: true,
  })
  const port = Number(service.url.port)
  using socket = await openSocket(port)
  const post = (path: string) =>
    askByHand(port, { method: 'POST', path, headers: json, body: initialize() })

  socket.write('GET /sse HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const path = /data: (\S+)/.exec(await socket.until('\n\n'))?.[1] ?? ''

  expect((await post('/sse')).status).toBe(200)
  expect((await post(path)).status).toBe(202)
})

test.each([
  [undefined, 120_000],
  [600_000, 630_000],
  [Infinity, 0],
])('with bodyMs %s a request may take %s ms to arrive', async (bodyMs, allowed) => {
  const listening = vi.spyOn(HttpServer.prototype, 'listen')

  await using service = await serveHttp(createSampleServer().server, { ...quiet, bodyMs })

  const [http] = listening.mock.contexts as HttpServer[]
  expect([http?.requestTimeout, service.url.pathname]).toEqual([allowed, '/mcp'])
})

test('says why it cannot listen', async () => {
  await using service = await serveHttp(createSampleServer().server, quiet)
  const port = Number(service.url.port)

  const attempt = serveHttp(createSampleServer().server, { ...quiet, port })

  await expect(attempt).rejects.toSatisfy(
    (error) => isMcpError(error, 'unreachable') && error.details.systemCode === 'EADDRINUSE',
  )
})

test.each<[option: string, options: object]>([
  ['path', { path: 'mcp' }],
  ['path', { path: '/a?b' }],
  ['port', { port: 99_999 }],
  ['port', { port: Number.NaN }],
  ['url', { url: 'api.example/mcp' }],
  ['allowedOrigins', { allowedOrigins: 'https://a.example' }],
  ['allowedOrigins', { allowedOrigins: '*' }],
  ['allowedHosts', { allowedHosts: ['https://a.example'], websocket: true }],
])('names %s when it cannot be %j, before it listens', async (option, wrong) => {
  const { server } = createSampleServer()
  const listening = vi.spyOn(HttpServer.prototype, 'listen')

  const rejected = await serveHttp(server, { ...quiet, ...wrong }).catch((error: unknown) => error)

  expect(isMcpError(rejected, 'invalid_definition') && rejected.details.feature).toBe(option)
  expect(listening).not.toHaveBeenCalled()
  expect(definitionOf(server).listeners.size).toBe(0)
})

test('leaves neither a port nor a listener behind when something is missing', async () => {
  vi.doMock('../../../src/transport/websocket/load-ws.ts', () => ({
    loadWs: () => Promise.reject(new Error('no ws here')),
  }))
  const { server } = createSampleServer()
  const { url } = await serveHttp(server, quiet).then(async (service) => {
    await service.drain()
    return service
  })
  const port = Number(url.port)

  const attempt = serveHttp(server, { ...quiet, port, websocket: true })

  await expect(attempt).rejects.toThrow('no ws here')
  expect(definitionOf(server).listeners.size).toBe(0)
  await using service = await serveHttp(server, { ...quiet, port })
  await expect(serveHttp(server, { ...quiet, port })).rejects.toThrow('EADDRINUSE')
  expect(definitionOf(server).listeners.size).toBe(0)
  expect(service.url.port).toBe(String(port))
})

test('draining does not wait for a connection that has asked nothing', async () => {
  const service = await serveHttp(createSampleServer().server, quiet)
  using socket = await openSocket(Number(service.url.port))
  await fetch(new URL('/healthz', service.url)) // by now the server knows the connection before it
  vi.useFakeTimers({ toFake: ['setTimeout'] }) // nothing is cut off for taking too long

  try {
    await service.drain()
  } finally {
    vi.useRealTimers()
  }

  expect(await socket.closed).toBe('')
})
