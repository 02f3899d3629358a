import { describe, expect, test, vi } from 'vitest'

import { createServer } from '../../../src/server/create-server.ts'
import { connect } from '../../../src/transport/connect.ts'
import { serveHttp } from '../../../src/transport/http/serve-http.ts'
import { handshakeRevisions, spokenRevisions } from '../../../src/wire/revisions.ts'

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

describe.each(spokenRevisions)('in %s', (era) => {
  const hasSessions = handshakeRevisions.includes(era)

  test('our client and our server agree over HTTP: calls, progress, questions, changes, the end', async () => {
    const server = createSample()
    await using service = await serveHttp(server, { port: 0, ownProcess: false })
    const heard: number[] = []
    const client = await connect(service.url, {
      era,
      sample: () => ({ role: 'assistant', content: { type: 'text', text: 'yes' }, model: 'm' }),
    })
    await using subscription = await client.listen({ toolsListChanged: true })

    expect(await client.callTool('greet')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    await client.callTool('count', {}, { onProgress: ({ progress }) => heard.push(progress) })
    expect(heard).toEqual([1, 2, 3])
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
    const first = await serveHttp(server, { port: 0, ownProcess: false })
    const reconnect = { minDelayMs: 10, maxDelayMs: 20 }
    await using client = await connect(first.url, { era, reconnect })
    expect(await client.listTools().toArray()).toHaveLength(3)

    await first.drain({ deadlineMs: 100 })
    const listing = client.listTools().toArray()
    const { port } = first.url
    await using second = await serveHttp(server, { port: Number(port), ownProcess: false })

    expect(await listing).toHaveLength(3)
    expect(second.health().sessions).toBe(hasSessions ? 1 : 0)
  })
})
