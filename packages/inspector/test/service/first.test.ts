import { expect, test } from 'vitest'

import { openPage } from './page-client.ts'

test('connects to a command of the command line and calls a tool', async () => {
  await using page = await openPage({
    servers: [
      {
        name: 'all',
        entry: { command: process.execPath, args: ['servers/everything/dist/main.js'] },
      },
    ],
  })
  const view = await page.ask('servers/connect', { name: 'all' })
  const outcome = await page.ask('runs/start', {
    server: 'all',
    run: 'r1',
    method: 'tools/call',
    params: { name: 'echo', arguments: { message: 'hello' } },
  })
  const { items, pages } = await page.ask('lists/all', { server: 'all', kind: 'tools' })
  expect(outcome.seq).toBeGreaterThan(0)
})
