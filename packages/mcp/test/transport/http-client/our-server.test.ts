import { expect, test } from 'vitest'

import { createServer } from '../../../src/server/create-server.ts'
import { connect } from '../../../src/transport/connect.ts'
import { serveHttp } from '../../../src/transport/http/serve-http.ts'

function createSample() {
  const server = createServer({ name: 'sample', version: '1.0.0' })
  server.tool('greet', { inputSchema: { type: 'object' } }, () => 'hello')
  server.tool('count', {}, async (_, context) => {
    for (let progress = 1; progress <= 3; progress += 1) await context.progress({ progress })
    return 'counted'
  })
  server.tool('ask', {}, async (_, context) => {
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const
    const answer = await context.elicit({ message: 'name?', requestedSchema })
    return answer.action
  })
  return server
}

test('our client and our server agree over HTTP: calls, progress, questions, changes, the end', async () => {
  const server = createSample()
  await using service = await serveHttp(server, { port: 0 })
  const heard: number[] = []
  const client = await connect(service.url, {
    elicit: () => ({ action: 'decline' }),
  })
  await using subscription = await client.listen({ toolsListChanged: true })

  expect(await client.callTool('greet')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
  await client.callTool('count', {}, { onProgress: ({ progress }) => heard.push(progress) })
  expect(heard).toEqual([1, 2, 3])
  expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'decline' }] })
  server.tool('another', {}, () => 'new')
  const changes = subscription[Symbol.asyncIterator]()
  expect((await changes.next()).value).toEqual({ type: 'tools' })
  expect(service.health().sessions).toBe(1)

  await client.close()

  expect(service.health().sessions).toBe(0)
})

test('a server that is started anew is found again', async () => {
  const server = createSample()
  const first = await serveHttp(server, { port: 0 })
  await using client = await connect(first.url, { reconnect: { minDelayMs: 10, maxDelayMs: 20 } })
  expect(await client.listTools().toArray()).toHaveLength(3)

  await first.drain({ deadlineMs: 100 })
  const listing = client.listTools().toArray()
  await using second = await serveHttp(server, { port: Number(first.url.port) })

  expect(await listing).toHaveLength(3)
  expect(second.health().sessions).toBe(1)
})
