import { createServer } from '@parley/mcp/server'
import { clientTasks, serverTasks, startTool } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import { textOf } from '../running.ts'
import { open, serveTest, startTestGateway } from './running.ts'

test.each([
  ['legacy', 'legacy'],
  ['modern', 'modern'],
  ['legacy', 'modern'],
  ['modern', 'legacy'],
] as const)(
  'a task is followed at the server that began it (server: %s, client: %s)',
  async (protocolVersion, down) => {
    const make = (name: string) => {
      const extensions = [serverTasks({ pollIntervalMs: 10, inlineMs: 0 })]
      const server = createServer({ name, version: '1.0.0', extensions })
      server.tool('render', { task: 'required' }, async () => {
        await new Promise((resolve) => void setTimeout(resolve, 50)) // longer than `inlineMs`
        return `${name} rendered`
      })
      return server
    }
    await using red = await serveTest(make('red'))
    await using blue = await serveTest(make('blue'))
    await using gateway = await startTestGateway({
      servers: {
        red: { url: red.url.href, protocolVersion },
        blue: { url: blue.url.href, protocolVersion },
      },
    })
    await using client = await open(gateway, { protocolVersion: down, extensions: [clientTasks()] })

    const started = await startTool(client, 'blue__render', {})

    if (started.kind !== 'task') throw new TypeError('it is a task')
    expect(textOf(await started.task.result())).toBe('blue rendered')
    expect(client.server.capabilities.tasks ?? {}).not.toHaveProperty('list')
  },
)
