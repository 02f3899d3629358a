import { createServer as createPlainServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { execPath } from 'node:process'

import { diagnose } from '@parley/cli'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

import { certificate, privateKey } from '../../../../test-support/certificate.ts'
import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { brokenServer } from '../check/broken-server.ts'
import { repositoryFile, run, servers } from '../run.ts'

test('a server over HTTP that is fine: every step, 0', async () => {
  const definition = createServer({ name: 'fine', version: '1' })
  await using service = await serveHttp(definition, { port: 0, ownsProcess: false })
  const { host, href, port } = service.url

  const { code, stdout, stderr } = await run(['doctor', href])

  expect(code).toBe(0)
  expect(stderr).toBe('no problems found\n')
  expect(stdout.replaceAll(/\d+ ms/g, 'N ms').split('\n')).toEqual([
    `✓ reaching ${host}: 127.0.0.1:${port}`,
    '✓ the first answer: HTTP 200, application/json, N ms',
    '✓ negotiation: 2025-11-25 by handshake, 2026-07-28 without',
    '✓ sessions: one session served 8 requests in a row',
    '✓ streams: events arrive as they are sent',
    '✓ keep-alive: connections are kept open',
    '✓ web pages (CORS): pages of other origins are refused',
    '✓ ending a session: DELETE, then 404',
    '',
  ])
})

test('a command is tried in 2026-07-28 too', async () => {
  const { stdout } = await run(['doctor', '--', ...servers.everything])

  expect(stdout).toContain('✓ negotiation: 2025-11-25 by handshake, 2026-07-28 without\n')
})

test('a command that has a fault: what to do, 4', async () => {
  const { code, stdout, stderr } = await run(['doctor', '--', execPath, brokenServer, 'noise'])

  expect(code).toBe(4)
  expect(stderr).toBe('error: 1 problem found\n')
  expect(stdout).toContain(
    '✗ standard output: something other than messages: server is ready\n  → Log to standard error',
  )
})

test('the same for a program: each step as it is taken', async () => {
  const entry = { command: execPath, args: [brokenServer, 'noise'] }
  const steps: string[] = []
  const { signal } = new AbortController()

  for await (const { title, state } of diagnose(entry, { name: 'noisy', signal })) {
    steps.push(`${title}: ${state}`)
  }

  expect(steps).toContain('standard output: bad')
  expect(steps).toContain('starting: good')
})

test('--json is one object with every step, and an error line', async () => {
  const { code, stdout, stderr } = await run(['doctor', '--json', '--', 'parley-no-such-program'])

  expect(code).toBe(4)
  expect(JSON.parse(stdout)).toEqual({
    steps: [
      {
        title: 'the command parley-no-such-program',
        state: 'bad',
        seen: 'it is not on PATH',
        fix: expect.stringContaining('Install parley-no-such-program'),
      },
    ],
  })
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unreachable' } })
})

test('an entry of a configuration file is looked at as its program would start it', async () => {
  const cwd = folderWith({
    'mcp.json': {
      mcpServers: {
        good: { command: execPath, args: [brokenServer] },
        bad: { command: execPath, args: ['nowhere.js'] },
      },
    },
  })

  const good = await run(['doctor', '--config', 'mcp.json', '--server', 'good'], { cwd })
  const bad = await run(['doctor', '--config', 'mcp.json', '--server', 'bad'], { cwd })

  expect(good.code).toBe(0)
  expect(good.stdout).toContain('✓ ending: it exits when its input ends\n')
  expect(bad.code).toBe(4)
  expect(bad.stdout).toContain('file not found: nowhere.js')
})

test('a certificate that nobody signed is named', async () => {
  const server = createTlsServer({ cert: certificate, key: privateKey })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // an address, no pipe

  const { code, stdout } = await run(['doctor', `https://127.0.0.1:${port}/mcp`])

  expect(code).toBe(4)
  expect(stdout).toContain('its certificate is not accepted: self-signed certificate')
  expect(stdout).toContain('NODE_EXTRA_CA_CERTS')
})

test('https where http is meant, and the reverse, are found', async () => {
  const tls = createTlsServer({ cert: certificate, key: privateKey })
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void tls.close())
  const { port } = tls.address() as AddressInfo // an address, no pipe
  const definition = createServer({ name: 'fine', version: '1' })
  await using service = await serveHttp(definition, { port: 0, ownsProcess: false })

  const plain = await run(['doctor', `http://127.0.0.1:${port}/mcp`])
  const secure = await run(['doctor', service.url.href.replace('http:', 'https:')])

  expect(plain.code).toBe(4)
  expect(plain.stdout).toContain('Check whether the URL should begin with https')
  expect(secure.code).toBe(4)
})

test('what a hostile server says is harmless', async () => {
  const server = repositoryFile('packages/cli/test/fixtures/hostile-server.mjs')

  for (const flags of [[], ['--json']]) {
    const { stdout, stderr } = await run(['doctor', ...flags, '--', execPath, server])

    // oxlint-disable-next-line no-control-regex
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  }
})

test.each([[['doctor', 'http://127.0.0.1:1/mcp', 'more'], 'too many arguments: more']])(
  '%j is a mistake',
  async (argv, said) => {
    const { code, stderr } = await run(argv)

    expect(code).toBe(1)
    expect(stderr).toContain(said)
  },
)

test.each([
  [['--era', 'modern'], '✓ negotiation: 2026-07-28 without a handshake\n'],
  [['--era', 'legacy'], '✓ negotiation: 2025-11-25 by handshake\n'],
  [['--era', '2025-03-26'], '✓ negotiation: 2025-03-26 by handshake\n'],
])('%j asks for that', async (flags, said) => {
  const { code, stdout } = await run(['doctor', ...flags, '--', execPath, brokenServer])

  expect(code).toBe(0)
  expect(stdout).toContain(said)
})

test('a revision that was asked for and is not spoken is a fault', async () => {
  const serverInfo = { name: 'stubborn', version: '1' }
  const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo }
  const answer = `JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, result: ${JSON.stringify(result)} })`
  const stubborn = `process.stdin.on('data', (line) => console.log(${answer}))`
  const words = ['doctor', '--era', '2025-06-18', '--', execPath, '-e', stubborn]

  const { code, stdout } = await run(words)

  expect(code).toBe(4)
  expect(stdout).toContain(
    '✗ negotiation: asked for 2025-06-18, it answers with 2025-11-25 by handshake\n',
  )
})

test('a WebSocket is opened, and agrees on a revision', async () => {
  const definition = createServer({ name: 'fine', version: '1' })
  await using service = await serveHttp(definition, {
    port: 0,
    websocket: true,
    ownsProcess: false,
  })
  const { host, port } = service.url
  const href = service.url.href.replace('http:', 'ws:')

  const { code, stdout } = await run(['doctor', href])
  const other = await run(['doctor', href.replace('/mcp', '/elsewhere')])

  expect(code).toBe(0)
  expect(stdout.replaceAll(/[\d.]+ ms/g, 'N ms')).toBe(
    `✓ reaching ${host}: 127.0.0.1:${port}\n✓ opening: N ms\n✓ negotiation: 2026-07-28\n✓ answering: N ms\n`,
  )
  expect(other.code).toBe(4)
  expect(other.stdout).toContain('✗ opening: ')
})

test('a server of the old transport is known as one, also if it refuses in JSON', async () => {
  const rejection = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no POST' } }
  const server = createPlainServer((request, response) => {
    if (request.method !== 'GET') return void response.writeHead(405).end(JSON.stringify(rejection))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('event: endpoint\ndata: /messages?id=1\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // listening on an address, not a pipe

  const { code, stdout } = await run(['doctor', `http://127.0.0.1:${port}/sse`])

  expect(code).toBe(4)
  expect(stdout).toContain('it uses the old HTTP+SSE transport')
})
