import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'

import type { Bridge } from '@parley/gateway'
import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { serveTest } from './gateway/running.ts'
import { answerToBytes, initialize, send, smuggled } from './raw-http.ts'
import { open, startTestBridge, textOf } from './running.ts'

function notes(): Server {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('who', {}, (_, { http }) => JSON.stringify(secrets.map((name) => http?.header(name))))
  return server
}

const secrets = ['authorization', 'x-api-key', 'cookie', 'x-forwarded-user', 'x-own']

function addressOf({ url }: Bridge): URL {
  if (url === undefined) throw new TypeError('it listens')
  return url
}

test('CVE-2025-64443: a name that was rebound to loopback reaches no bridge', async () => {
  await using service = await serveTest(notes())
  await using bridge = await startTestBridge({ from: { url: service.url.href } })
  const url = addressOf(bridge)

  const hosts = ['evil.example', `evil.example:${url.port}`, '127.0.0.1.evil.example']
  const answers = await Promise.all(
    hosts.flatMap((host) => [send(url, { host }), send(url, { host }, { method: 'GET' })]),
  )

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403))
})

test('pages of foreign origins call nothing through a bridge, and are told nothing', async () => {
  await using service = await serveTest(notes())
  await using bridge = await startTestBridge({ from: { url: service.url.href } })
  const url = addressOf(bridge)
  const asked = { 'access-control-request-method': 'POST' }

  const origins = ['https://evil.example', 'null', `http://127.0.0.1.evil.example:${url.port}`]
  const answers = await Promise.all(
    origins.flatMap((origin) => [
      send(url, { origin }),
      send(url, { origin, ...asked }, { method: 'OPTIONS', body: '' }),
    ]),
  )

  for (const { status, headers } of answers) {
    expect(status).toBe(403)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  }
})

test('GHSA-g53w-w6mj-hrpp, CVE-2026-42271: no request to a bridge names a server or a command', async () => {
  const touched = join(folderWith({}), 'touched')
  const command = { command: 'touch', args: [touched] }
  let reached = 0
  const other = createHttpServer((_, response) => {
    reached += 1
    response.end()
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo // it listens on a port
  const there = `http://127.0.0.1:${port}/`
  await using service = await serveTest(notes())
  await using bridge = await startTestBridge({ from: { url: service.url.href } })
  const url = addressOf(bridge)
  const params = {
    ...(JSON.parse(initialize) as { params: object }).params,
    ...command,
    url: there,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })

  const opened = await send(
    url,
    { 'x-upstream': there, 'x-target-url': there, 'x-forwarded-host': `127.0.0.1:${port}` },
    { body },
  )
  const paths = ['/mcp/test', '/api/test', '/api/servers', `/mcp?url=${encodeURIComponent(there)}`]
  await Promise.all(paths.map((path) => send(url, {}, { path, body })))
  other.close()

  expect(opened.text).toContain('"notes"')
  expect(reached).toBe(0)
  expect(existsSync(touched)).toBe(false)
})

test('what follows the command reaches it as it is, and no shell reads it', async () => {
  const folder = folderWith({})
  const words = [`; touch ${join(folder, 'a')}`, `$(touch ${join(folder, 'b')})`, '`id`', '| id']
  const script = 'console.error(JSON.stringify(process.argv.slice(1)))'
  const said: string[] = []
  await using bridge = await startTestBridge({
    from: { command: execPath, args: ['-e', script, ...words] },
    onStderr: (line) => said.push(line),
  })

  await expect(open(bridge)).rejects.toThrow()

  expect(JSON.parse(said[0] ?? '')).toEqual(words)
  expect(['a', 'b'].filter((name) => existsSync(join(folder, name)))).toEqual([])
})

test.each(['legacy', 'modern'] as const)(
  'credentials of a caller do not pass a bridge (%s)',
  async (protocolVersion) => {
    await using service = await serveTest(notes())
    const from = { url: service.url.href, headers: { 'x-own': 'ours' } }
    await using bridge = await startTestBridge({ from })
    await using client = await open(bridge, {
      protocolVersion,
      headers: {
        authorization: 'Bearer of-ada',
        'x-api-key': 'of-ada',
        cookie: 'session=of-ada',
        'x-forwarded-user': 'ada',
        'x-own': 'theirs',
      },
    })

    const seen = JSON.parse(textOf(await client.callTool('who'))) as unknown[]

    expect(seen).toEqual([null, null, null, null, 'ours'])
  },
)

test.each(smuggled('key').slice(0, -1))(
  'a smuggled request to a bridge is refused: %s',
  async (_, rest) => {
    await using service = await serveTest(notes())
    await using bridge = await startTestBridge({ from: { url: service.url.href } })

    const received = await answerToBytes(addressOf(bridge), rest)

    expect(received).toMatch(/^HTTP\/1\.1 400 /)
  },
)

test('without being told twice a bridge listens on loopback only', async () => {
  const from = { url: 'http://127.0.0.1:1/mcp' }

  await expect(startTestBridge({ from, host: '0.0.0.0' })).rejects.toThrow(/url|anonymous/i)
})

test('no session of a bridge is found by changing the id of another', async () => {
  await using service = await serveTest(notes())
  await using bridge = await startTestBridge({ from: { url: service.url.href } })
  const url = addressOf(bridge)
  const opened = await send(url, {})
  const id = String(opened.headers['mcp-session-id'])

  const guesses = [id.slice(0, -1), `${id}x`, id.toUpperCase(), '1', '']
  const answers = await Promise.all(
    guesses.map((guess) =>
      send(
        url,
        { 'mcp-session-id': guess },
        { body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }) },
      ),
    ),
  )

  expect(id.length).toBeGreaterThanOrEqual(32)
  for (const { status } of answers) expect([400, 404]).toContain(status)
})
