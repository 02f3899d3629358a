import { createServer, serveTransport } from '@parley/mcp/server'
import { createTestClient, createTransportPair, createVirtualClock } from '@parley/mcp/testing'
import { expect, test, vi } from 'vitest'

import { createClient } from '../../src/client/create-client.ts'
import { untilIdle } from '../../src/testing/virtual-clock.ts'

function createSlowServer() {
  const server = createServer({ name: 'slow', version: '1.0.0' })
  server.tool('wait', {}, () => new Promise<string>(() => undefined))
  server.resource('slow://1', {}, () => new Promise<string>(() => undefined))
  return server
}

test('says that a read may be repeated after the connection was lost', async () => {
  const client = await createTestClient(createSlowServer())

  const read = client.readResource('slow://1')
  await client.idle()
  client.cut()

  await expect(read).rejects.toMatchObject({ code: 'connection_lost', retryable: true })
})

test('does not say so of a tool that might have done its work', async () => {
  const client = await createTestClient(createSlowServer())

  const call = client.callTool('wait')
  const safeCall = client.callTool('wait', {}, { idempotent: true })
  await client.idle()
  client.cut()

  await expect(call).rejects.toMatchObject({ code: 'connection_lost', retryable: false })
  await expect(safeCall).rejects.toMatchObject({ code: 'connection_lost', retryable: true })
})

test('says so also where it was sent twice, in vain', async () => {
  const lines: (() => void)[] = []
  await using client = await createClient(
    () => {
      const [near, far] = createTransportPair()
      serveTransport(createSlowServer(), far)
      lines.push(() => void far[Symbol.asyncDispose]())
      return near
    },
    { reconnect: { minDelayMs: 1, maxDelayMs: 1 } },
  )

  const calls = [client.readResource('slow://1'), client.callTool('wait', {}, { idempotent: true })]
  const errors = Promise.all(calls.map((call) => call.catch((error: unknown) => error)))
  for (const count of [1, 2]) {
    await vi.waitFor(() => expect(lines).toHaveLength(count))
    await vi.waitFor(() => expect(client.status.state).toBe('ready'))
    await untilIdle()
    lines[count - 1]?.()
  }

  for (const error of await errors) {
    expect(error).toMatchObject({ code: 'connection_lost', retryable: true })
  }
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
