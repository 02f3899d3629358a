import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { serveHttp } from '@parley/mcp/node'
import { createServer as createMcpServer } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import { examineHttp } from '../../src/doctor/examine-http.ts'
import { examineOldTransport } from '../../src/doctor/examine-old-transport.ts'
import { examineStdio } from '../../src/doctor/examine-stdio.ts'
import type { Step } from '../../src/doctor/step.ts'
import { brokenServer, listenBroken } from '../check/broken-server.ts'

async function collect(steps: AsyncIterable<Step>): Promise<readonly Step[]> {
  const all: Step[] = []
  for await (const step of steps) all.push(step)
  return all
}

const examine = (url: string) => collect(examineHttp({ url, headers: {} }))
const problemsOf = (steps: readonly Step[]) => steps.filter(({ state }) => state === 'bad')

type Answer = (request: IncomingMessage, response: ServerResponse, origin: string) => void

async function listen(answer: Answer) {
  let origin = ''
  const server = createServer((request, response) => answer(request, response, origin))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on an address, not a pipe
  origin = `http://127.0.0.1:${port}`
  return {
    url: `${origin}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('a server of ours has nothing in the way', async () => {
  const definition = createMcpServer({ name: 'fine', version: '1' })
  await using service = await serveHttp(definition, { port: 0, ownsProcess: false })

  const steps = await examine(service.url.href)

  expect(problemsOf(steps)).toEqual([])
  expect(steps.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      'negotiation',
      'sessions',
      'ending a session',
      'streams',
      'keep-alive',
    ]),
  )
})

describe('finds over HTTP', () => {
  test('a port where nothing listens', async () => {
    const server = await listen(() => undefined)
    await server[Symbol.asyncDispose]()

    expect(problemsOf(await examine(server.url))).toMatchObject([
      { seen: expect.stringContaining('nothing listens'), fix: expect.stringContaining('Start') },
    ])
  })

  test('a name without an address', async () => {
    expect(problemsOf(await examine('http://no-such-host.invalid/mcp'))).toMatchObject([
      { seen: expect.stringContaining('cannot be resolved') },
    ])
  })

  test.each([
    ['a web page', 200, { 'content-type': 'text/html' }, '<h1>Welcome</h1>', 'a web page'],
    ['another path', 404, {}, '', 'nothing is served at /mcp'],
    ['a redirect', 307, { location: 'https://elsewhere.example/mcp' }, '', 'elsewhere.example'],
    ['a server that takes no POST', 405, {}, '', 'it does not accept POST'],
    ['another protocol', 200, { 'content-type': 'text/plain' }, 'hello', 'hello'],
  ])('%s', async (_what, status, headers, body, seen) => {
    await using server = await listen(
      (_, response) => void response.writeHead(status, headers).end(body),
    )

    expect(problemsOf(await examine(server.url))).toMatchObject([
      { seen: expect.stringContaining(seen) },
    ])
  })

  test('a refusal without a challenge, and no metadata', async () => {
    await using server = await listen((request, response) => {
      response.writeHead(request.url === '/mcp' ? 401 : 404).end()
    })

    expect(problemsOf(await examine(server.url)).map(({ title }) => title)).toEqual([
      'the challenge',
      'the metadata of the server',
    ])
  })

  test.each([
    ['metadata of another server', { resource: 'https://other.example/mcp' }, {}, 'it describes'],
    ['metadata of another path', { resource: 'ORIGIN/mc' }, {}, 'it describes'],
    [
      'an issuer of another name',
      {},
      { issuer: 'https://other.example' },
      'its metadata names another issuer',
    ],
    ['an issuer without PKCE', {}, { code_challenge_methods_supported: ['plain'] }, 'S256'],
  ])('%s', async (_what, ofServer, ofIssuer, seen) => {
    await using server = await listen((request, response, origin) => {
      const json = (value: object) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(value).replaceAll('ORIGIN', origin))
      switch (request.url ?? '') {
        case '/mcp':
          return void response
            .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${origin}/resource"` })
            .end()
        case '/resource':
          return void json({
            resource: `${origin}/mcp`,
            authorization_servers: [origin],
            ...ofServer,
          })
        default:
          return void json({
            issuer: origin,
            code_challenge_methods_supported: ['S256'],
            registration_endpoint: `${origin}/register`,
            ...ofIssuer,
          })
      }
    })

    expect(problemsOf(await examine(server.url))).toMatchObject([
      { seen: expect.stringContaining(seen) },
    ])
  })

  test('sessions that only one of two processes knows', async () => {
    await using one = await listenBroken()
    await using other = await listenBroken()
    let turn = 0
    await using balancer = await listen((request, response) => {
      turn += 1
      void forward(request, response, turn % 2 === 1 ? one.url : other.url)
    })

    const problems = problemsOf(await examine(balancer.url))

    expect(problems[0]).toMatchObject({
      title: 'sessions',
      fix: expect.stringContaining('share them'),
    })
  })

  test('a session header that is dropped on the way', async () => {
    await using server = await listenBroken()
    await using proxy = await listen((request, response) => {
      delete request.headers['mcp-session-id']
      void forward(request, response, server.url)
    })

    expect(problemsOf(await examine(proxy.url))[0]).toMatchObject({
      title: 'sessions',
      fix: expect.stringContaining('Mcp-Session-Id'),
    })
  })

  test('a session that does not end', async () => {
    await using server = await listenBroken('session-400')

    expect(problemsOf(await examine(server.url)).map(({ title }) => title)).toEqual([
      'ending a session',
    ])
  })

  test('a proxy that holds streams back', async () => {
    const definition = createMcpServer({ name: 'fine', version: '1' })
    await using service = await serveHttp(definition, { port: 0, ownsProcess: false })
    await using proxy = await listen((request, response) => {
      if (request.method === 'GET') return // until it ends, which it does not
      void forward(request, response, service.url.href)
    })

    expect(problemsOf(await examine(proxy.url)).map(({ title }) => title)).toEqual(['streams'])
  })

  test('a server of the old transport, also where it was asked for as one', async () => {
    await using server = await listen((request, response) => {
      if (request.method !== 'GET') return void response.writeHead(405).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: endpoint\ndata: /messages?id=1\n\n')
    })
    await using other = await listen((_, response) => void response.writeHead(404).end())
    const asked = (url: string) => collect(examineOldTransport({ url, headers: {} }))

    expect(problemsOf(await examine(server.url))).toMatchObject([
      { seen: expect.stringContaining('old HTTP+SSE'), fix: expect.stringContaining('sse') },
    ])
    expect((await asked(server.url)).map(({ state }) => state)).toEqual(['good', 'good', 'warning'])
    expect(problemsOf(await asked(other.url))).toMatchObject([
      { seen: 'HTTP 404 without an endpoint event' },
    ])
  })

  test('nothing wrong with sessions of an older revision', async () => {
    await using server = await listenBroken('only-2025-06-18')

    expect(problemsOf(await examine(server.url))).toEqual([])
  })

  test('a server on this machine that any page may use', async () => {
    await using server = await listenBroken()
    await using open = await listen((request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      if (request.method === 'OPTIONS') return void response.writeHead(204).end()
      void forward(request, response, server.url)
    })

    expect(problemsOf(await examine(open.url)).map(({ title }) => title)).toEqual([
      'web pages (CORS)',
    ])
  })
})

describe('finds in a command', () => {
  const node = process.execPath
  test.each([
    ['a program that is not there', { command: 'parley-no-such-program' }, 'it is not on PATH'],
    ['a whole line as the command', { command: 'node server.js' }, 'it is not on PATH'],
    [
      'a script that is not there',
      { command: node, args: ['nowhere/server.js'] },
      'file not found',
    ],
    ['noise', { command: node, args: [brokenServer, 'noise'] }, 'server is ready'],
    ['one that stays', { command: node, args: [brokenServer, 'stays'] }, 'it still runs'],
  ])('%s', async (_what, command, seen) => {
    expect(problemsOf(await collect(examineStdio(command)))).toMatchObject([
      { seen: expect.stringContaining(seen) },
    ])
  })

  test('one that dies, with its last words', async () => {
    const command = { command: node, args: ['-e', 'console.error("no key"); process.exit(1)'] }

    expect(problemsOf(await collect(examineStdio(command)))).toMatchObject([
      { seen: 'the command exited before it answered', stderr: ['no key'] },
    ])
  })

  test('nothing where there is nothing', async () => {
    expect(
      problemsOf(await collect(examineStdio({ command: node, args: [brokenServer] }))),
    ).toEqual([])
  })
})

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  to: string,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const {
    host: _host,
    connection: _connection,
    'content-length': _length,
    ...headers
  } = request.headers
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  )
  const { method = 'GET' } = request
  const answer = await fetch(to, {
    method,
    headers: Object.fromEntries(given),
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  for (const [name, value] of answer.headers) {
    if (name !== 'transfer-encoding' && name !== 'connection') response.setHeader(name, value)
  }
  response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
}
