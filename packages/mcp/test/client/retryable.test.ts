import { expect, test } from 'vitest'

import { createServer } from '../../src/server/create-server.ts'
import { createTestClient } from '../../src/testing/test-client.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

function createSlowServer() {
  const server = createServer({ name: 'slow', version: '1.0.0' })
  server.tool('wait', {}, () => new Promise<string>(() => undefined))
  server.resource('slow://1', {}, () => new Promise<string>(() => undefined))
  return server
}

test('says that a read may be repeated after the connection was lost', async () => {
  const client = await createTestClient(createSlowServer())

  const read = client.readResource('slow://1')
  await client.settled()
  client.cut()

  await expect(read).rejects.toMatchObject({ code: 'connection_lost', retryable: true })
})

test('does not say so of a tool that might have done its work', async () => {
  const client = await createTestClient(createSlowServer())

  const call = client.callTool('wait')
  const safeCall = client.callTool('wait', {}, { idempotent: true })
  await client.settled()
  client.cut()

  await expect(call).rejects.toMatchObject({ code: 'connection_lost', retryable: false })
  await expect(safeCall).rejects.toMatchObject({ code: 'connection_lost', retryable: true })
})

test('says so of a read that timed out, with the limit it names', async () => {
  const clock = createVirtualClock()
  await using client = await createTestClient(createSlowServer(), { clock })

  const read = client.readResource('slow://1', { timeouts: { idleMs: 1_000 } })
  const rejected = expect(read).rejects.toMatchObject({
    code: 'timeout',
    retryable: true,
    details: { limit: 'idle', ms: 1_000 },
  })
  await clock.advance(1_000)

  await rejected
})
