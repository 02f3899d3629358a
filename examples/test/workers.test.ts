import { join } from 'node:path'

import { connect, toolOutput } from '@parley/mcp/client'
import { clientTasks, startTool } from '@parley/mcp/tasks'
import { expect, test } from 'vitest'

import { startWorker } from '../../test-support/workerd.ts'

test('the Worker asks, and bakes on after its caller has gone', async () => {
  await using worker = await startWorker({
    entry: join(import.meta.dirname, '../workers/worker.ts'),
    objects: { KITCHEN: 'Kitchen' },
    texts: {
      PARLEY_SECRET: 'thirty-two random characters or more',
      PUBLIC_URL: 'https://kitchen.example/mcp',
    },
  })
  await using client = await connect(worker.url(), {
    protocolVersion: 'legacy',
    extensions: [clientTasks()],
    elicit: () => ({ action: 'accept', content: { spice: 'hot' } }),
  })

  const started = await startTool(client, 'bake', { loaves: 2 })

  expect(toolOutput(await client.callTool('order', {}))).toBe('One curry, hot')
  expect(started.kind === 'task' && toolOutput(await started.task.result())).toBe('2 loaves')
})
