import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { apiKeyGuard } from '@parley/auth/resource'
import { controlFile, startControl, type Gateway } from '@parley/gateway'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { answerToBytes, send, smuggled } from '../raw-http.ts'
import { textOf } from '../running.ts'
import { post } from './raw-requests.ts'
import { open, serveTest, startTestGateway } from './running.ts'

const adaKey = 'key-of-ada-0123456789'
const auth = apiKeyGuard({
  [adaKey]: 'ada',
  'key-of-bob-0123456789': 'bob',
  'second-of-ada-012345': 'ada',
})
const eras = ['legacy', 'modern'] as const

function notes(): Server {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('who', {}, () => 'notes')
  return server
}

function addressOf({ url }: Gateway): URL {
  if (url === undefined) throw new TypeError('it listens')
  return url
}

test('CVE-2025-64443: a name that was bound to loopback behind our back reaches nothing', async () => {
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({
    servers: { one: { url: service.url.href } },
    profiles: { dev: {} },
  })
  const url = addressOf(gateway)

  const hosts = [
    'evil.example',
    `evil.example:${url.port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
  ]
  const answers = await Promise.all(
    hosts.flatMap((host) => [
      send(url, { host }),
      send(url, { host }, { path: '/mcp/dev' }),
      send(url, { host }, { method: 'GET' }),
    ]),
  )

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]))
})

test('pages of foreign origins call nothing and are told nothing', async () => {
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({
    servers: { one: { url: service.url.href } },
    profiles: { dev: {} },
  })
  const url = addressOf(gateway)

  const origins = ['https://evil.example', 'null', `http://127.0.0.1.evil.example:${url.port}`]
  const answers = await Promise.all(
    origins.flatMap((origin) => [
      send(url, { origin }),
      send(url, { origin }, { path: '/mcp/dev' }),
      send(
        url,
        { origin, 'access-control-request-method': 'POST' },
        { method: 'OPTIONS', body: '' },
      ),
    ]),
  )

  for (const { status, headers } of answers) {
    expect(status).toBe(403)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('CVE-2026-48710: no header takes the place of a credential', async () => {
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({
    auth,
    servers: { one: { url: service.url.href } },
    profiles: { dev: {} },
  })
  const url = addressOf(gateway)
  const tricks = [
    { host: 'localhost' },
    { host: `127.0.0.1:${url.port}` },
    { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
    { 'x-forwarded-host': 'localhost', forwarded: 'for=127.0.0.1;host=localhost' },
    { 'x-original-url': '/healthz', 'x-rewrite-url': '/healthz' },
    { 'x-parley': '1', 'x-parley-principal': 'ada', 'x-user': 'ada', 'x-internal': 'true' },
    { authorization: 'Bearer undefined', 'x-api-key': 'undefined' },
    { authorization: 'Basic YWRtaW46YWRtaW4=' },
  ]

  const answers = await Promise.all(
    tricks.flatMap((headers) => [send(url, headers), send(url, headers, { path: '/mcp/dev' })]),
  )

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
})

test('GHSA-g53w-w6mj-hrpp: no header chooses the server', async () => {
  await using one = await serveTest(notes())
  let reached = 0
  const other = createHttpServer((_, response) => {
    reached += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo // it listens on a port
  const there = `http://127.0.0.1:${port}/`
  await using gateway = await startTestGateway({ servers: { one: { url: one.url.href } } })
  await gateway.started

  const answer = await post(
    gateway,
    'tools/call',
    { name: 'one__who', arguments: {}, url: there },
    {
      'x-upstream': there,
      'x-mcp-upstream': there,
      'x-parley-upstream': there,
      'x-target-url': there,
      'x-forwarded-host': `127.0.0.1:${port}`,
      'x-internal-secret': 'secret',
    },
  )
  other.close()

  expect(answer.text).toContain('notes')
  expect(reached).toBe(0)
})

test('the name a client used is believed of a proxy in the trusted range, and of nobody else', async () => {
  const options = { servers: {}, url: 'https://gw.example/mcp' }
  await using trusting = await startTestGateway({ ...options, trustedProxies: ['127.0.0.0/8'] })
  await using doubting = await startTestGateway({ ...options, trustedProxies: ['10.0.0.0/8'] })
  const statusOf = async (gateway: Gateway, host: string) =>
    (await post(gateway, 'tools/list', {}, { 'x-forwarded-host': host })).status

  expect(await statusOf(trusting, 'gw.example')).toBe(200)
  expect(await statusOf(trusting, 'evil.example')).toBe(403)
  expect(await statusOf(doubting, 'evil.example')).toBe(200)
})

test('CVE-2026-42271: no request starts a command or names a server', async () => {
  const folder = folderWith({})
  const touched = join(folder, 'touched')
  const command = { command: 'touch', args: [touched] }
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({
    auth,
    servers: { one: { url: service.url.href } },
  })
  const url = addressOf(gateway)
  const key = { 'x-api-key': adaKey }
  const body = JSON.stringify({ server: command, servers: { x: command }, ...command })

  const paths = [
    '/mcp/tools/list',
    '/mcp-rest/test/connection',
    '/api/test',
    '/api/reload',
    '/api/servers',
    '/servers',
    '/v1/mcp/server',
  ]
  const answers = await Promise.all(
    paths.flatMap((path) => [send(url, key, { path, body }), send(url, {}, { path, body })]),
  )
  const called = await post(
    gateway,
    'tools/call',
    {
      name: 'one__who',
      arguments: {},
      server: command,
      servers: { x: command },
      ...command,
      name2: 'x',
    },
    key,
  )
  const unknown = await post(gateway, 'servers/add', { name: 'x', ...command }, key)

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect(called.text).toContain('notes')
  expect(unknown.text).toContain('-32601')
  expect(existsSync(touched)).toBe(false)
})

test('what a configuration says is passed to a program as it is, and no shell reads it', async () => {
  const folder = folderWith({})
  const file = join(folder, 'arguments.json')
  const words = [
    `; touch ${join(folder, 'a')}`,
    `$(touch ${join(folder, 'b')})`,
    '`id`',
    '&& id',
    '| id',
    '%PATH%',
  ]
  const script =
    'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2)))'
  await using gateway = await startTestGateway({
    servers: {
      one: { command: execPath, args: ['-e', script, file, ...words], startTimeoutMs: 5_000 },
      two: { command: `${execPath} -e 1; touch ${join(folder, 'c')}` },
    },
  })

  await vi.waitFor(() => expect(existsSync(file)).toBe(true))
  await gateway.started

  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(words)
  expect(['a', 'b', 'c'].filter((name) => existsSync(join(folder, name)))).toEqual([])
})

test('CVE-2025-6514: what a server says about signing in starts nothing and is not followed', async () => {
  let asked = 0
  const elsewhere = createHttpServer((_, response) => {
    asked += 1
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  const { port } = elsewhere.address() as AddressInfo // it listens on a port
  const hostile = createHttpServer((_, response) => {
    const metadata = `http://127.0.0.1:${port}/$(touch%20/tmp/x)`
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
    response.end(JSON.stringify({ authorization_endpoint: 'file:///bin/sh' }))
  }).listen(0, '127.0.0.1')
  await once(hostile, 'listening')
  const at = hostile.address() as AddressInfo // as above
  await using gateway = await startTestGateway({
    servers: { bad: { url: `http://127.0.0.1:${at.port}/mcp` } },
  })
  await gateway.started
  await using client = await open(gateway)

  const failed = textOf(await client.callTool('bad__x'))
  hostile.close()
  elsewhere.close()

  expect(failed).toMatch(/^the server "bad" cannot be used now: .*401/)
  expect(asked).toBe(0)
})

test.each(eras)('credentials of a caller reach no server (%s)', async (protocolVersion) => {
  const seen: IncomingHttpHeaders[] = []
  await using service = await serveTest(notes())
  const between = createHttpServer((incoming, outgoing) => {
    seen.push(incoming.headers)
    const { method, url: path, headers } = incoming
    const passed = request({ host: '127.0.0.1', port: service.url.port, method, path, headers })
    passed.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(between, 'listening')
  const { port } = between.address() as AddressInfo // it listens on a port
  await using gateway = await startTestGateway({
    auth,
    servers: { one: { url: `http://127.0.0.1:${port}/mcp`, headers: { 'x-own': 'ours' } } },
  })
  await using client = await open(gateway, {
    protocolVersion,
    headers: {
      'x-api-key': adaKey,
      cookie: 'session=of-ada',
      'x-own': 'theirs',
      'x-forwarded-user': 'ada',
    },
  })

  expect(textOf(await client.callTool('one__who'))).toBe('notes')

  expect(seen.length).toBeGreaterThan(0)
  const text = JSON.stringify(seen)
  for (const secret of [adaKey, 'of-ada', 'theirs', 'x-forwarded-user']) {
    expect(text).not.toContain(secret)
  }
  expect(new Set(seen.map((headers) => headers['x-own']))).toEqual(new Set(['ours']))
  between.closeAllConnections()
  between.close()
})

test('a session is of its user, whichever key shows who that is', async () => {
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({
    auth,
    servers: { one: { url: service.url.href } },
  })
  const url = addressOf(gateway)
  const opened = await send(url, { 'x-api-key': adaKey })
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
  await send(url, { ...session, 'x-api-key': adaKey }, { body: ready })

  const bob = { ...session, 'x-api-key': 'key-of-bob-0123456789' }
  const foreign = [
    await send(url, bob, { body: list }),
    await send(url, bob, { method: 'GET' }),
    await send(url, bob, { method: 'DELETE', body: '' }),
  ]
  const anonymous = await send(url, session, { body: list })
  const renewed = await send(
    url,
    { ...session, 'x-api-key': 'second-of-ada-012345' },
    { body: list },
  )

  expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(anonymous.status).toBe(401)
  expect(renewed.text).toContain('one__who')
})

test.each(smuggled(adaKey))('a smuggled request is refused: %s', async (_, rest) => {
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({
    auth,
    servers: { one: { url: service.url.href } },
  })

  const received = await answerToBytes(addressOf(gateway), rest)

  expect(received).toMatch(/^HTTP\/1\.1 40[01] /)
  expect(received).not.toMatch(/HTTP\/1\.1 2\d\d/)
})

test('a header that names another tool than the body is refused', async () => {
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({ servers: { one: { url: service.url.href } } })
  await gateway.started

  const answer = await post(
    gateway,
    'tools/call',
    { name: 'one__who', arguments: {} },
    { 'mcp-name': 'one__harmless' },
  )

  expect(answer.status).toBe(400)
  expect(answer.text).not.toContain('notes')
})

test('the port for commands takes no command without its token, by any name', async () => {
  const folder = folderWith({})
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({ servers: { one: { url: service.url.href } } })
  const reload = vi.fn(() => Promise.resolve({ added: [], removed: [], changed: [] }))
  const drain = vi.fn()
  const file = join(folder, 'gateway.yaml')
  await using control = await startControl({ gateway, file, folder, reload, drain })
  const { token } = JSON.parse(readFileSync(controlFile(folder, file), 'utf8')) as {
    readonly token: string
  } // as it writes it
  const about = { authorization: `Bearer ${token}` }

  const rejected = await Promise.all([
    send(control.url, {}, { path: '/api/drain', body: '{}' }),
    send(control.url, { authorization: 'Bearer wrong' }, { path: '/api/reload', body: '{}' }),
    send(control.url, { ...about, host: 'evil.example' }, { path: '/api/reload', body: '{}' }),
    send(
      control.url,
      { ...about, origin: 'https://evil.example' },
      { path: '/api/reload', body: '{}' },
    ),
    send(control.url, { 'x-forwarded-for': '127.0.0.1' }, { path: '/api/status', method: 'GET' }),
  ])
  const allowed = await send(control.url, about, { path: '/api/reload', body: '{}' })

  for (const { status } of rejected) expect([401, 403]).toContain(status)
  expect(allowed.status).toBe(200)
  expect(reload).toHaveBeenCalledTimes(1)
  expect(drain).not.toHaveBeenCalled()
})
