import { expect, test } from 'vitest'

import type { Client } from '../../src/client/client.ts'
import { clientTasks } from '../../src/client/tasks/client-tasks.ts'
import { startTool } from '../../src/client/tasks/start-tool.ts'
import { createServer } from '../../src/server/create-server.ts'
import type { Server } from '../../src/server/server.ts'
import { serverTasks } from '../../src/server/tasks/server-tasks.ts'
import { connect } from '../../src/transport/connect.ts'
import { createProxy } from '../../src/transport/proxy/create-proxy.ts'
import { textOf } from './relaying.ts'

function createStudio(task: 'optional' | 'required'): Server {
  const server = createServer({
    name: 'studio',
    version: '1.0.0',
    extensions: [serverTasks({ pollIntervalMs: 10, inlineMs: 0 })],
    onError: () => undefined,
  })
  server.tool('render', { task }, async (_, { elicit }) => {
    const requestedSchema = { type: 'object', properties: { size: { type: 'string' } } } as const
    return JSON.stringify(await elicit({ message: 'Which size?', requestedSchema }))
  })
  return server
}

async function open(server: Server, era: 'legacy' | 'modern'): Promise<Client> {
  const client = await connect(server, {
    era,
    extensions: [clientTasks()],
    elicit: () => ({ action: 'accept', content: { size: 'large' } }),
    onError: () => undefined,
    onDeprecated: () => undefined,
  })
  return client
}

test.each(['legacy', 'modern'] as const)(
  'a task is started, asks, and is followed to its end where both sides are of the %s era',
  async (era) => {
    await using proxy = createProxy(createStudio('required'), { era })
    await using client = await open(proxy, era)

    const started = await startTool(client, 'render', {})
    if (started.kind !== 'task') throw new Error('it was no task')
    const result = await started.task.result()

    expect(textOf(result)).toContain('"size":"large"')
  },
)

test.each([
  ['legacy', 'modern'],
  ['modern', 'legacy'],
] as const)(
  'between the %s and the %s era work that may be a task is done inline',
  async (up, down) => {
    await using proxy = createProxy(createStudio('optional'), { era: up })
    await using client = await open(proxy, down)

    const started = await startTool(client, 'render', {})

    expect(started.kind).toBe('result')
    expect(client.server.capabilities.tasks).toBe(undefined)
  },
)

test('a tool that runs as a task only is called by a client of another era, and asks it', async () => {
  await using proxy = createProxy(createStudio('required'), { era: 'legacy' })
  await using client = await open(proxy, 'modern')

  const first = await client.callTool('render')
  const second = await client.callTool('render') // known by now

  expect(textOf(first)).toContain('"size":"large"')
  expect(textOf(second)).toContain('"size":"large"')
  expect(first._meta ?? {}).not.toHaveProperty('io.modelcontextprotocol/related-task')
})

test('a client of another era that gives up a call ends the task that was begun for it', async () => {
  const server = createServer({
    name: 'studio',
    version: '1.0.0',
    extensions: [serverTasks({ pollIntervalMs: 10, inlineMs: 0 })],
    onError: () => undefined,
  })
  const controller = new AbortController()
  const ended = new Promise<void>((resolve) => {
    server.tool('render', { task: 'required' }, (_, { signal }) => {
      setTimeout(() => controller.abort(new Error('enough')), 200) // when its result is waited for
      return new Promise((finish) => {
        signal.addEventListener('abort', () => {
          resolve()
          finish('given up')
        })
      })
    })
  })
  await using proxy = createProxy(server, { era: 'legacy', onError: () => undefined })
  await using client = await open(proxy, 'modern')

  const call = client.callTool('render', {}, { signal: controller.signal })

  await expect(call).rejects.toThrow('enough')
  await ended
})
