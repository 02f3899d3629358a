import { fileURLToPath } from 'node:url'

import { connect, type ClientStatus, toolOutput } from '@parley/mcp/client'
import { expect, test } from 'vitest'

const command = {
  command: process.execPath,
  args: [fileURLToPath(new URL('fixtures/run-source.mjs', import.meta.url)), 'mortal-server.mjs'],
}

test('a command that dies is started anew when that is asked for', async () => {
  const states: ClientStatus['state'][] = []
  await using client = await connect(command, {
    reconnect: { minDelayMs: 1, maxDelayMs: 10 },
    onStatus: ({ state }) => states.push(state),
    onError: () => undefined,
  })
  const first = toolOutput(await client.callTool('pid'))

  const lost = client.callTool('die')
  await expect(lost).rejects.toMatchObject({
    code: 'connection_lost',
    details: { exitCode: 3, stderr: expect.stringContaining('good-bye') as string },
  })
  const second = toolOutput(await client.callTool('pid'))

  expect(second).not.toBe(first)
  expect(states).toEqual(['ready', 'reconnecting', 'ready'])
})

test('without that the connection is closed, with the reason', async () => {
  await using client = await connect(command, { onError: () => undefined })

  await expect(client.callTool('die')).rejects.toMatchObject({ code: 'connection_lost' })

  expect(client.status).toMatchObject({
    state: 'closed',
    cause: { code: 'connection_lost', details: { exitCode: 3 } },
  })
  await expect(client.callTool('pid')).rejects.toMatchObject({ code: 'connection_lost' })
})
