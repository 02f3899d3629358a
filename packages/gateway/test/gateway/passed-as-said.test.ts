import { createServer, type Server } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { post } from './raw-requests.ts'
import { open, serveTest, startTestGateway } from './running.ts'

function notes(): Server {
  const server = createServer({ name: 'notes', version: '1.0.0' })
  server.tool('who', {}, () => 'notes')
  return server
}

test.each(['legacy', 'modern'] as const)(
  'that a list has changed is told as the server says it, also where it looks the same (%s)',
  async (protocolVersion) => {
    const server = notes()
    await using service = await serveTest(server)
    await using gateway = await startTestGateway({ servers: { one: { url: service.url.href } } })
    await gateway.started
    await using client = await open(gateway, { protocolVersion })
    await using subscription = await client.listen({ toolsListChanged: true })

    server.notifyChanged('tools')

    const { value: change } = await subscription[Symbol.asyncIterator]().next()
    expect(change).toMatchObject({ type: 'tools' })
  },
)

test('a method that the revision of the caller does not have is not found', async () => {
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({ servers: { one: { url: service.url.href } } })

  const answers = await Promise.all(
    ['logging/setLevel', 'resources/subscribe', 'tasks/list', 'tasks/result'].map((method) =>
      post(gateway, method, { uri: 'note://one', level: 'info' }),
    ),
  )

  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  for (const { text } of answers) expect(text).toContain('-32601')
})

test('tasks of a caller that cannot follow them are refused with what it lacks', async () => {
  await using service = await serveTest(notes())
  await using gateway = await startTestGateway({ servers: { one: { url: service.url.href } } })

  const { text } = await post(gateway, 'tasks/get', { taskId: 'any' }, { 'mcp-name': 'any' })

  expect(text).toContain('-32021')
})
