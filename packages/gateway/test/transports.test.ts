import { connect, type Client, type ConnectOptions } from '@parley/mcp/client'
import { serveHttp, type HttpService } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'

import type { BridgeAddress } from '../src/bridge/bridge-options.ts'
import { everything } from './programs.ts'
import { open, startTestBridge, textOf } from './running.ts'

function createNotes(): Server {
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    onError: () => undefined,
    onDeprecated: () => undefined,
  })
  server.tool('add', { inputSchema: { type: 'object' } }, () => 'added')
  server.tool('count', {}, async (_, { progress }) => {
    for (let step = 1; step <= 3; step += 1) await progress({ progress: step, total: 3 })
    return 'counted'
  })
  server.tool('ask', {}, async (_, { elicit }) =>
    JSON.stringify(
      await elicit({
        message: 'Which?',
        requestedSchema: { type: 'object', properties: { one: { type: 'string' } } },
      }),
    ),
  )
  server.resource('note://one', { name: 'one' }, () => 'first')
  return server
}

/** Where the server behind the bridge is served. */
type Behind = 'http' | 'sse' | 'ws'

async function serve(behind: Behind): Promise<{
  readonly server: Server
  readonly service: HttpService
  readonly from: BridgeAddress
}> {
  const server = createNotes()
  const service = await serveHttp(server, {
    port: 0,
    host: '127.0.0.1',
    ownsProcess: false,
    legacySse: behind === 'sse',
    websocket: behind === 'ws',
  })
  const { href } = service.url
  const urls = { http: href, sse: `${href}/sse`, ws: href.replace('http:', 'ws:') }
  const type = behind === 'http' ? undefined : behind
  return { server, service, from: { url: urls[behind], type } }
}

const eras: {
  readonly [Front in 'http' | 'sse' | 'ws']: readonly ConnectOptions['protocolVersion'][]
} = {
  http: ['legacy', 'modern'],
  sse: ['legacy'],
  ws: ['legacy', 'modern'],
}

describe.each(['http', 'sse', 'ws'] as const)('a server over %s', (behind) => {
  test.each(
    (['http', 'sse', 'ws'] as const).flatMap((to) => eras[to].map((era) => [to, era] as const)),
  )('behind a bridge to %s, for a client of the %s era', async (to, protocolVersion) => {
    const { server, service, from } = await serve(behind)
    await using _ = service
    await using bridge = await startTestBridge({ from, to })
    await using client = await openAt(bridge.url!, to, {
      protocolVersion,
      elicit: () => ({ action: 'accept', content: { one: 'this' } }),
    })
    const told: number[] = []
    const changed: string[] = []

    await client.callTool('count', {}, { onProgress: ({ progress }) => told.push(progress) })
    const asked = await client.callTool('ask')
    const subscription = await client.listen({ resourceSubscriptions: ['note://one'] })
    const first = (async () => {
      for await (const change of subscription) {
        if (change.type === 'resource') return void changed.push(change.uri)
      }
    })()
    // Over a stream that has just been opened the first may be missed.
    await expect
      .poll(() => {
        server.notifyChanged({ uri: 'note://one' })
        return changed[0]
      })
      .toBe('note://one')
    await first

    expect(told).toEqual([1, 2, 3])
    expect(textOf(asked)).toContain('"one":"this"')
  })
})

function openAt(url: URL, to: 'http' | 'sse' | 'ws', options: ConnectOptions): Promise<Client> {
  const quiet = { cache: false, reconnect: false, onError: () => undefined } as const
  return connect(to === 'sse' ? { url: url.href, type: 'sse' } : url, { ...quiet, ...options })
}

test.each(['sse', 'ws'] as const)('a command is served over %s', async (to) => {
  await using bridge = await startTestBridge({ from: everything, to })
  await using client = await openAt(bridge.url!, to, { protocolVersion: 'legacy' })

  expect(bridge.url!.pathname).toBe(to === 'sse' ? '/sse' : '/mcp')
  expect(textOf(await client.callTool('echo', { message: 'hello' }))).toContain('hello')
})

test('a session that the server behind has forgotten is opened again, and keeps its subscriptions', async () => {
  const { server, service, from } = await serve('http')
  const port = Number(service.url.port)
  await using bridge = await startTestBridge({ from })
  await using client = await open(bridge, { protocolVersion: 'legacy' })
  const changed: string[] = []
  const subscription = await client.listen({ resourceSubscriptions: ['note://one'] })
  void (async () => {
    for await (const change of subscription)
      if (change.type === 'resource') changed.push(change.uri)
  })()
  await client.callTool('add')

  await service.drain({ deadlineMs: 0 })
  await using again = await serveHttp(server, { port, host: '127.0.0.1', ownsProcess: false })
  const tools = await client.listTools().toArray()
  const before = changed.length
  await expect
    .poll(() => {
      server.notifyChanged({ uri: 'note://one' })
      return changed.length > before
    })
    .toBe(true)

  expect(tools.map(({ name }) => name)).toEqual(['add', 'count', 'ask'])
  expect(textOf(await client.callTool('add'))).toBe('added')
  expect(again.health().sessions).toBe(1)
})

test('health is answered where it was asked for', async () => {
  await using bridge = await startTestBridge({ from: everything, health: '/alive' })

  expect((await fetch(new URL('/alive', bridge.url))).status).toBe(200)
})
