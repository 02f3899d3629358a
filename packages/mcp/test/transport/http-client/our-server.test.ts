import { supportedRevisions } from '@parley/mcp'
import { connect } from '@parley/mcp/client'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { describe, expect, test, vi } from 'vitest'

import { legacyRevisions } from '../../../src/wire/revisions.ts'

function createSample() {
  const server = createServer({ name: 'sample', version: '1.0.0' })
  server.tool('greet', { inputSchema: { type: 'object' } }, () => 'hello')
  server.tool('count', {}, async (_, context) => {
    for (let progress = 1; progress <= 3; progress += 1) await context.progress({ progress })
    return 'counted'
  })
  server.tool('ask', {}, async (_, context) => {
    const messages = [{ role: 'user', content: { type: 'text', text: '?' } }] as const
    const { model } = await context.sample({ messages, maxTokens: 1 })
    return model
  })
  return server
}

describe.each(supportedRevisions)('in %s', (protocolVersion) => {
  const hasSessions = legacyRevisions.includes(protocolVersion)

  test('our client and our server agree over HTTP: calls, progress, questions, changes, the end', async () => {
    const server = createSample()
    await using service = await serveHttp(server, { port: 0, ownsProcess: false })
    const received: number[] = []
    const client = await connect(service.url, {
      protocolVersion,
      sample: () => ({ role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' }),
    })
    await using subscription = await client.listen({ toolsListChanged: true })

    expect(await client.callTool('greet')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    await client.callTool('count', {}, { onProgress: ({ progress }) => received.push(progress) })
    expect(received).toEqual([1, 2, 3])
    expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'm' }] })
    server.tool('another', {}, () => 'new')
    const changes = subscription[Symbol.asyncIterator]()
    expect((await changes.next()).value).toEqual({ type: 'tools' })
    expect(service.health()).toMatchObject({ sessions: hasSessions ? 1 : 0, streams: 1 })

    await client.close()

    const none = { sessions: 0, streams: 0, inFlight: 0 }
    await vi.waitFor(() => expect(service.health()).toMatchObject(none))
  })

  test('a server that is started anew is found again', async () => {
    const server = createSample()
    const first = await serveHttp(server, { port: 0, ownsProcess: false })
    const reconnect = { minDelayMs: 10, maxDelayMs: 20 }
    await using client = await connect(first.url, { protocolVersion, reconnect })
    expect(await client.listTools().toArray()).toHaveLength(3)

    await first.drain({ deadlineMs: 100 })
    const listing = client.listTools().toArray()
    listing.catch(() => undefined) // where another program took the port meanwhile, that is the failure to show
    const { port } = first.url
    await using second = await serveHttp(server, { port: Number(port), ownsProcess: false })

    expect(await listing).toHaveLength(3)
    expect(second.health().sessions).toBe(hasSessions ? 1 : 0)
  })
})

describe.each([
  ['HTTP+SSE', 'sse', '/sse'],
  ['Streamable HTTP', 'http', ''],
] as const)('over %s', (_, type, path) => {
  test('who has connected misses no change, however late its initialized is taken', async () => {
    const server = createSample()
    await using service = await serveHttp(server, { port: 0, ownsProcess: false, legacySse: true })
    const order: string[] = []
    const slow: typeof fetch = async (input, init) => {
      const isLast = typeof init?.body === 'string' && init.body.includes('/initialized')
      if (isLast) await new Promise((resolve) => setTimeout(resolve, 50))
      const answer = await fetch(input, init)
      if (isLast) order.push('taken')
      return answer
    }

    const url = `${service.url.href}${path}`
    await using client = await connect(
      { type, url },
      { protocolVersion: '2025-06-18', fetch: slow },
    )
    order.push('connected')
    await using subscription = await client.listen({ toolsListChanged: true })
    server.tool('another', {}, () => 'new')

    const changes = subscription[Symbol.asyncIterator]()
    expect((await changes.next()).value).toEqual({ type: 'tools' })
    expect(order).toEqual(['taken', 'connected'])
  })

  test('connecting can be given up while its initialized is on its way', async () => {
    await using service = await serveHttp(createSample(), {
      port: 0,
      ownsProcess: false,
      legacySse: true,
    })
    const stop = new AbortController()
    const stuck: typeof fetch = (input, init) => {
      const isLast = typeof init?.body === 'string' && init.body.includes('/initialized')
      if (!isLast) return fetch(input, init)
      stop.abort(new Error('enough'))
      return new Promise(() => undefined)
    }

    const url = `${service.url.href}${path}`
    const connecting = connect(
      { type, url },
      { protocolVersion: '2025-06-18', fetch: stuck, signal: stop.signal },
    )

    await expect(connecting).rejects.toThrow('enough')
  })
})

test.each(['2025-11-25', '2026-07-28'] as const)(
  'a client of %s that has given up reconnecting still gets the answers that are on their way',
  async (protocolVersion) => {
    const server = createServer({ name: 'slow', version: '1.0.0' })
    let finish = (): void => undefined
    const gate = new Promise<void>((resolve) => (finish = resolve))
    server.tool('work', {}, async (_, context) => {
      await context.progress({ progress: 1 })
      await gate
      return 'done'
    })
    await using service = await serveHttp(server, { port: 0, ownsProcess: false })
    let isAway = false
    const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    await using client = await connect(service.url, {
      protocolVersion,
      reconnect: { maxAttempts: 1, minDelayMs: 1, maxDelayMs: 1 },
      fetch: async (...asked) => {
        if (isAway) throw new TypeError('fetch failed', { cause: away })
        return fetch(...asked)
      },
    })
    let begin = (): void => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const working = client.callTool('work', {}, { onProgress: () => begin() })
    await begun
    isAway = true

    await expect(client.listTools().toArray()).rejects.toMatchObject({ code: 'unreachable' })
    await expect(client.listTools().toArray()).rejects.toMatchObject({ code: 'unreachable' })
    finish()

    expect(await working).toMatchObject({ content: [{ text: 'done' }] })
    await vi.waitFor(() =>
      expect(client.status).toMatchObject({ state: 'closed', cause: { code: 'unreachable' } }),
    )
  },
)
