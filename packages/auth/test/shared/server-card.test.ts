import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { readServerCard } from '@parley/auth/network'
import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, onTestFinished, test } from 'vitest'

async function serve(listener: RequestListener): Promise<string> {
  const server = createHttpServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` // listening on an address
}

test('the card of a server of ours is read, and names its address', async () => {
  const server = createServer({ name: 'clock', version: '1.0.0' })
  await using service = await serveHttp(server, { port: 0, ownsProcess: false, card: true })

  expect(await readServerCard(service.url)).toMatchObject({
    kind: 'found',
    isOfServer: true,
    url: `${service.url.href}/server-card`,
    card: { name: '127.0.0.1/clock', version: '1.0.0', description: 'clock' },
  })
})

test('a client that was told what the card says need not find out what is spoken', async () => {
  const server = createServer({ name: 'clock', version: '1.0.0' })
  const revisions = ['2025-03-26', '2025-06-18'] as const
  await using service = await serveHttp(server, {
    port: 0,
    ownsProcess: false,
    card: true,
    revisions,
  })
  const sent: unknown[] = []
  const { previous } = { previous: undefined, ...(await readServerCard(service.url)) }

  await using client = await connect(service.url.href, {
    previous,
    onMessage: ({ direction, message }) => {
      if (direction === 'out') sent.push(message)
    },
  })

  expect(previous).toMatchObject({ revision: '2025-06-18', transport: 'http' })
  expect(client.negotiated.revision).toBe('2025-06-18')
  expect(sent[0]).toMatchObject({ method: 'initialize' })
})

test('a card in the place of earlier drafts is found, and may be of another address', async () => {
  const asked: string[] = []
  const url = await serve((request, response) => {
    asked.push(request.url ?? '')
    if (request.url !== '/.well-known/mcp/server-card.json') {
      response.writeHead(404).end()
      return
    }
    const remotes = [{ type: 'streamable-http', url: 'https://other.example/mcp' }, 7, null]
    const card = { name: 'com.example/a', version: '1', description: 'A', remotes, title: 7 }
    response.end(JSON.stringify(card))
  })

  expect(await readServerCard(url)).toMatchObject({
    kind: 'found',
    isOfServer: false,
    card: { name: 'com.example/a', remotes: [{ url: 'https://other.example/mcp' }] },
  })
  expect(asked).toEqual(['/mcp/server-card', '/.well-known/mcp/server-card.json'])
})

test.each<[string, RequestListener, string]>([
  ['is no card', (_, response) => void response.end('{"name":"x"}'), 'not a server card'],
  ['is not JSON', (_, response) => void response.end('<html>'), 'not a server card'],
  ['is too long', (_, response) => void response.end('x'.repeat(70_000)), 'longer than 65536'],
  [
    'is elsewhere',
    (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    'status 302',
  ],
])('what %s is not taken', async (_, listener, why) => {
  const found = await readServerCard(await serve(listener))

  expect(found).toMatchObject({ kind: 'absent', why: expect.stringContaining(why) as unknown })
})

test.each([
  ['http://10.0.0.1/mcp', 'is not contacted'],
  ['https://user:secret@example.com/mcp', 'user name or password'],
  ['ws://127.0.0.1/mcp', 'not an http: or https: URL'],
  ['nonsense', 'not an http: or https: URL'],
])('%s is not asked', async (url, why) => {
  const found = await readServerCard(url)

  expect(found).toMatchObject({ kind: 'absent', why: expect.stringContaining(why) as unknown })
})
