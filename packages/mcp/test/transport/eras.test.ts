import { fileURLToPath } from 'node:url'

import { type Frame, supportedRevisions } from '@parley/mcp'
import {
  type ServerChange,
  connect,
  type ConnectOptions,
  createMemoryClientCache,
  type ClientStatus,
  type Subscription,
  toolOutput,
} from '@parley/mcp/client'
import { serveHttp, type ServeHttpOptions } from '@parley/mcp/node'
import { createServer, type Server } from '@parley/mcp/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { newestLegacy } from '../../src/wire/revisions.ts'
import { eventually } from '../support/network.ts'

const newest = '2026-07-28'
const old = supportedRevisions.filter((revision) => revision !== newest)
const quiet = { onError: () => undefined }

function createShop(): Server {
  const server = createServer({ name: 'shop', version: '1.0.0' })
  server.tool('buy', { inputSchema: z.object({ what: z.string() }) }, async ({ what }, context) => {
    const requestedSchema = z.object({ count: z.number() })
    const answer = await context.elicit({ message: `How many ${what}?`, requestedSchema })
    return answer.action === 'accept' ? `${answer.content.count} ${what}` : 'nothing'
  })
  server.resource('price://{what}', {}, ({ what }) => `${what}: 3`)
  return server
}

const listen = (server: Server, options: ServeHttpOptions = {}) =>
  serveHttp(server, { port: 0, ownsProcess: false, ...options })

describe('a client left to choose', () => {
  test('speaks the newest revision with our server in process, after one request', async () => {
    const frames: Frame[] = []
    await using client = await connect(createShop(), { onMessage: (frame) => frames.push(frame) })

    expect(client.negotiated).toMatchObject({ revision: newest, transport: 'memory' })
    expect(frames.map(methodOf)).toEqual(['server/discover', undefined])
  })

  test('speaks the newest revision over HTTP and WebSocket', async () => {
    await using service = await listen(createShop(), { websocket: true })
    for (const url of [service.url.href, service.url.href.replace('http:', 'ws:')]) {
      await using client = await connect(url, {
        ...quiet,
        elicit: () => ({ action: 'accept', content: { count: 2 } }),
      })

      expect(client.negotiated.revision).toBe(newest)
      expect(toolOutput(await client.callTool('buy', { what: 'eggs' }))).toBe('2 eggs')
    }
  })

  test('speaks the newest revision with a command, and goes on with its successor [N07-STDIO-05]', async () => {
    const states: ClientStatus['state'][] = []
    const run = fileURLToPath(new URL('fixtures/run-source.mjs', import.meta.url))
    const command = { command: process.execPath, args: [run, 'mortal-server.mjs'] }
    await using client = await connect(command, {
      ...quiet,
      timeouts: { connectMs: 120_000, probeMs: 60_000 }, // on a busy machine it starts slowly
      reconnect: { minDelayMs: 1, maxDelayMs: 10 },
      onStatus: ({ state }) => states.push(state),
    })
    const subscription = await client.listen({ toolsListChanged: true })
    const received = receive(subscription)
    await expect(client.callTool('die')).rejects.toMatchObject({ code: 'connection_lost' })
    await client.callTool('pid')

    expect(client.negotiated.revision).toBe(newest)
    await eventually(() => expect(received).toEqual([{ type: 'gap' }]))
    expect(states).toEqual(['ready', 'reconnecting', 'ready'])
  })

  test('shakes hands with a server that speaks only older revisions, and asks once an hour [N07-COMP-06]', async () => {
    await using service = await listen(createShop(), { revisions: old })
    const frames: Frame[] = []
    const options: ConnectOptions = { ...quiet, onMessage: (frame) => frames.push(frame) }
    const methods = async (): Promise<unknown[]> => {
      frames.length = 0
      await using client = await connect(service.url, options)
      expect(client.negotiated.revision).toBe(newestLegacy()?.revision)
      return frames.filter(({ direction }) => direction === 'out').map(methodOf)
    }

    expect(await methods()).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
    expect(await methods()).toEqual(['initialize', 'notifications/initialized'])
  })

  test('finds out when a server it knew as an old one is replaced by a new one', async () => {
    const first = await listen(createShop(), { revisions: old })
    const { port } = first.url
    await using before = await connect(first.url, quiet)
    expect(before.negotiated.revision).not.toBe(newest)
    await before.close()
    await first[Symbol.asyncDispose]()
    await using second = await listen(createShop(), { port: Number(port), revisions: [newest] })
    await using after = await connect(second.url, quiet)

    expect(after.negotiated.revision).toBe(newest)
  })

  test('is not misled by who must not come in, or by nobody being there', async () => {
    await using service = await listen(createShop(), {
      auth: {
        authenticate: async () => ({ kind: 'deny', status: 401, headers: {}, message: 'no' }),
      },
    })
    await expect(connect(service.url, quiet)).rejects.toMatchObject({ code: 'unauthorized' })
    const url = service.url.href
    await service[Symbol.asyncDispose]()
    await expect(connect(url, { ...quiet, reconnect: false })).rejects.toMatchObject({
      code: 'unreachable',
    })
  })
})

describe('over HTTP, in 2026-07-28', () => {
  test('listening goes on with a server that takes the place of another, after a gap [N07-SUB-14]', async () => {
    const server = createShop()
    const first = await listen(server)
    await using client = await connect(first.url, {
      ...quiet,
      reconnect: { minDelayMs: 1, maxDelayMs: 10 },
    })
    await using subscription = await client.listen({ toolsListChanged: true })
    const received = receive(subscription)
    server.tool('sell', {}, () => 'sold')
    await eventually(() => expect(received).toEqual([{ type: 'tools' }]))
    await first.drain({ deadlineMs: 0 })
    await using second = await listen(server, { port: Number(first.url.port) })
    expect(second.url).toEqual(first.url)

    await eventually(() => expect(received).toEqual([{ type: 'tools' }, { type: 'gap' }]))
    server.tool('lend', {}, () => 'lent')
    await eventually(() => expect(received.at(-1)).toEqual({ type: 'tools' }))
  })

  test('a tool whose arguments headers repeat can be called before it was listed [N07-XHDR-06]', async () => {
    const server = createServer({ name: 'tenants', version: '1.0.0' })
    const properties = { tenant: { type: 'string', 'x-mcp-header': 'Tenant' } }
    const inputSchema = { type: 'object', properties } as const
    server.tool('count', { inputSchema }, (args) => `for ${JSON.stringify(args)}`)
    await using service = await listen(server)
    const frames: Frame[] = []
    await using client = await connect(service.url, {
      ...quiet,
      onMessage: (frame) => frames.push(frame),
    })

    expect(toolOutput(await client.callTool('count', { tenant: 'acme' }))).toBe(
      'for {"tenant":"acme"}',
    )
    expect(toolOutput(await client.callTool('count', { tenant: 'ümlaut' }))).toBe(
      'for {"tenant":"ümlaut"}',
    )
    expect(frames.filter(({ direction }) => direction === 'out').map(methodOf)).toEqual([
      'server/discover',
      'tools/call',
      'tools/list',
      'tools/call',
      'tools/call',
    ])
  })

  test('clients share what a server calls public, and each keeps what is private [N07-CACHE-04]', async () => {
    const server = createServer({
      name: 's',
      version: '1.0.0',
      cache: { ttlMs: 60_000, scope: 'public' },
    })
    server.tool('t', {}, () => 'x')
    await using service = await listen(server)
    const cache = createMemoryClientCache()
    const frames: Frame[] = []
    const options: ConnectOptions = { ...quiet, cache, onMessage: (frame) => frames.push(frame) }
    await using one = await connect(service.url, options)
    await using two = await connect(service.url, options)
    await one.listTools().toArray()
    const listed = await two.listTools().toArray()

    expect(listed).toMatchObject([{ name: 't' }])
    expect(frames.filter((frame) => methodOf(frame) === 'tools/list')).toHaveLength(1)
  })
})

function methodOf({ message }: Frame): unknown {
  return (message as { readonly method?: string }).method // no batches here
}

/** Everything it tells, as it comes. */
function receive(subscription: Subscription): readonly ServerChange[] {
  const received: ServerChange[] = []
  void (async () => {
    for await (const change of subscription) received.push(change)
  })()
  return received
}
