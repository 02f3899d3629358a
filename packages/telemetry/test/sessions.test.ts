import type { RequestObserver } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createProxy } from '@parley/mcp/proxy'
import { createServer, serveTransport, type Server } from '@parley/mcp/server'
import { createTransportPair, createVirtualClock } from '@parley/mcp/testing'
import { prometheus } from '@parley/telemetry/prometheus'
import { describe, expect, onTestFinished, test } from 'vitest'

import { record, type Recorder } from './recorder.ts'

function createHello({ observer }: { readonly observer: RequestObserver }): Server {
  const server = createServer({ name: 'hello', version: '1.0.0', observer })
  server.tool('hello', {}, () => 'hello')
  return server
}

/** How many sessions one side has counted, and what is said of them. */
async function sessionsOf({ points }: Recorder, side: 'server' | 'client') {
  const all = await points(`mcp.${side}.session.duration`)
  return all.map(({ attributes, value }) => ({
    ...attributes,
    count: (value as { count: number }).count,
  }))
}

describe('a session over HTTP', () => {
  test('is counted when its client ends it, and not before', async () => {
    const recorder = record()
    const service = await serveHttp(createHello(recorder), { port: 0, ownsProcess: false })
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    const client = await connect(service.url, { protocolVersion: 'legacy' })
    await client.callTool('hello')
    expect(await sessionsOf(recorder, 'server')).toEqual([])
    await client.close()

    const network = { 'network.transport': 'tcp', 'network.protocol.name': 'http' }
    await expect
      .poll(() => sessionsOf(recorder, 'server'))
      .toEqual([{ 'mcp.protocol.version': '2025-11-25', ...network, count: 1 }])
  })

  test('of a proxy with its server has the address of that', async () => {
    const recorder = record()
    const service = await serveHttp(createHello(record()), { port: 0, ownsProcess: false })
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    {
      await using proxy = createProxy(service.url.href, { observer: recorder.observer })
      await using client = await connect(proxy, { protocolVersion: 'legacy' })
      await client.callTool('hello')
    }

    expect(await sessionsOf(recorder, 'client')).toEqual([
      {
        'mcp.protocol.version': '2025-11-25',
        'network.transport': 'tcp',
        'network.protocol.name': 'http',
        'server.address': '127.0.0.1',
        'server.port': Number(service.url.port),
        count: 1,
      },
    ])
  })

  test('that nobody used for long is counted when it ends', async () => {
    const recorder = record()
    const clock = createVirtualClock()
    const service = await serveHttp(createHello(recorder), {
      port: 0,
      ownsProcess: false,
      clock,
      sessionIdleMs: 60_000,
    })
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    const client = await connect(service.url, { protocolVersion: 'legacy' })
    onTestFinished(() => client.close())
    await clock.advance(600_000)

    expect(await sessionsOf(recorder, 'server')).toMatchObject([{ count: 1 }])
  })

  test('is not counted where there is none: in revision 2026-07-28, and with sessions off', async () => {
    const recorder = record()
    const service = await serveHttp(createHello(recorder), {
      port: 0,
      ownsProcess: false,
      sessions: 'off',
    })
    onTestFinished(async () => void (await service.drain({ deadlineMs: 0 })))
    {
      await using modern = await connect(service.url, { protocolVersion: 'modern' })
      await modern.callTool('hello')
      await using legacy = await connect(service.url, { protocolVersion: 'legacy' })
      await legacy.callTool('hello')
    }

    expect(await sessionsOf(recorder, 'server')).toEqual([])
  })
})

describe('a session on one connection', () => {
  test('says what has broken it', async () => {
    const recorder = record()
    const [ours, theirs] = createTransportPair({ text: true })
    let cut: (error: Error) => void = () => undefined
    const broken = new Promise<never>((_, reject) => (cut = reject))
    broken.catch(() => undefined)
    async function* messages() {
      const arriving = theirs.messages[Symbol.asyncIterator]()
      for (;;) {
        const next = await Promise.race([arriving.next(), broken])
        if (next.done) return
        yield next.value
      }
    }
    serveTransport(createHello(recorder), {
      kind: 'stdio',
      messages: messages(),
      send: (message) => theirs.send(message),
      [Symbol.asyncDispose]: () => theirs[Symbol.asyncDispose](),
    })
    await using client = await connect(ours, { protocolVersion: 'legacy' })
    await client.callTool('hello')
    cut(new Error('the cable was cut'))

    await expect
      .poll(() => sessionsOf(recorder, 'server'))
      .toMatchObject([{ 'network.transport': 'pipe', 'error.type': 'connection_lost', count: 1 }])
  })

  test('that the server drains has ended without an error', async () => {
    const recorder = record()
    const [ours, theirs] = createTransportPair()
    const service = serveTransport(createHello(recorder), theirs)
    await using client = await connect(ours, { protocolVersion: 'legacy' })
    await client.callTool('hello')
    await service.drain({ deadlineMs: 0 })

    const [ended] = await sessionsOf(recorder, 'server')
    expect(ended).toMatchObject({ count: 1 })
    expect(ended).not.toHaveProperty(['error.type'])
  })
})

test('a session that a proxy has with its server is counted too, and ends without an error', async () => {
  const recorder = record()
  const { observer } = recorder
  {
    await using proxy = createProxy(createHello(recorder), { observer })
    await using client = await connect(proxy, { protocolVersion: 'legacy' })
    await client.callTool('hello')
  }

  for (const [side, count] of [
    ['client', 1], // of the proxy
    ['server', 2], // at the proxy and at the server
  ] as const) {
    const ended = await sessionsOf(recorder, side)
    expect(ended).toEqual([{ 'mcp.protocol.version': '2025-11-25', count }])
  }
})

test('Prometheus has the durations of sessions', async () => {
  const metrics = prometheus()
  {
    await using proxy = createProxy(createHello({ observer: metrics }), { observer: metrics })
    await using client = await connect(proxy, { protocolVersion: 'legacy' })
    await client.callTool('hello')
  }

  const text = await metrics.registry.metrics()
  for (const side of ['server', 'client']) {
    const count = side === 'server' ? 2 : 1
    expect(text).toContain(`mcp_${side}_session_duration_seconds_count{error_type=""} ${count}`)
  }
})
