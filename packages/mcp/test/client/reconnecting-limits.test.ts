import type { Transport } from '@parley/mcp'
import type { Client, ConnectOptions, ClientStatus } from '@parley/mcp/client'
import { createTransportPair, createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createClient } from '../../src/client/create-client.ts'
import { untilIdle } from '../../src/testing/virtual-clock.ts'
import { openRawChannel, type RawChannel } from '../support/raw-channel.ts'

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
}

/** A client that is connected again and again; each connection is in `lines`, answered by hand. */
async function open(options: ConnectOptions = {}) {
  const clock = createVirtualClock()
  const lines: RawChannel[] = []
  const statuses: ClientStatus[] = []
  const errors: unknown[] = []
  let before = (): Transport | undefined => undefined
  const opening = createClient(
    () => {
      const prepared = before()
      if (prepared) return prepared
      const [near, far] = createTransportPair()
      lines.push(openRawChannel(far))
      return near
    },
    {
      clock,
      onError: (error) => errors.push(error),
      onStatus: (status) => statuses.push(status),
      protocolVersion: 'legacy',
      reconnect: { minDelayMs: 100, maxDelayMs: 100 },
      ...options,
    },
  )
  await untilIdle()
  await serverInfo(lines[0])
  return {
    client: await opening,
    clock,
    lines,
    statuses,
    errors,
    failOnce(error: Error) {
      before = () => {
        before = () => undefined
        throw error
      }
    },
  }
}

async function serverInfo(line: RawChannel | undefined): Promise<void> {
  const { id } = await (line?.next(({ method }) => method === 'initialize') ?? { id: 0 })
  line?.send({
    jsonrpc: '2.0',
    id,
    result: {
      protocolVersion: '2025-06-18',
      capabilities,
      serverInfo: { name: 'raw', version: '1.0.0' },
    },
  })
  await untilIdle()
}

async function answer(line: RawChannel | undefined, method: string, result: object): Promise<void> {
  const { id } = await (line?.next((message) => message.method === method) ?? { id: 0 })
  line?.send({ jsonrpc: '2.0', id, result })
  await untilIdle()
}

const states = (statuses: readonly ClientStatus[]) => statuses.map(({ state }) => state)

async function setLevel(client: Client, line: RawChannel | undefined): Promise<void> {
  const setting = client.setLoggingLevel('debug')
  await answer(line, 'logging/setLevel', {})
  await setting
}

test('a call that waits for a connection ends with its own limits', async () => {
  const { client, clock, lines } = await open({ reconnect: { minDelayMs: 10_000 } })
  await lines[0]?.close()
  await untilIdle()
  const controller = new AbortController()

  const timed = client.ping({ timeouts: { idleMs: 50 } }).catch((error: unknown) => error)
  const stopped = client.ping({ signal: controller.signal }).catch((error: unknown) => error)
  await clock.advance(50)
  controller.abort('enough')

  expect(await timed).toMatchObject({ code: 'timeout', details: { limit: 'idle', ms: 50 } })
  expect(await stopped).toBe('enough')
  await client.close()
  expect(clock.pending).toBe(0)
})

test('a connection that is lost while it is restored is one more attempt, not a second client', async () => {
  const { client, clock, lines, statuses } = await open()
  await setLevel(client, lines[0])

  await lines[0]?.close()
  await clock.advance(100)
  await serverInfo(lines[1])
  await lines[1]?.next(({ method }) => method === 'logging/setLevel')
  await lines[1]?.close()
  await clock.advance(100)
  await serverInfo(lines[2])
  await answer(lines[2], 'logging/setLevel', {})
  await clock.advance(10_000)

  expect(lines).toHaveLength(3)
  expect(states(statuses)).toEqual(['ready', 'reconnecting', 'reconnecting', 'ready'])
  await client.close()
})

test('a connection that cannot be restored is let go before the next attempt', async () => {
  const { client, clock, lines, statuses } = await open()
  await setLevel(client, lines[0])

  await lines[0]?.close()
  await clock.advance(100)
  await serverInfo(lines[1])
  await lines[1]?.next(({ method }) => method === 'logging/setLevel')
  await clock.advance(30_000)

  await lines[1]?.ended
  expect(statuses.at(-1)).toMatchObject({ state: 'reconnecting', cause: { code: 'timeout' } })
  await client.close()
})

test('a server that refuses the old log level is used all the same', async () => {
  const { client, clock, lines, statuses, errors } = await open()
  await setLevel(client, lines[0])

  await lines[0]?.close()
  await clock.advance(100)
  await serverInfo(lines[1])
  const { id } = (await lines[1]?.next(({ method }) => method === 'logging/setLevel')) ?? {}
  lines[1]?.send({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } })
  await untilIdle()

  expect(states(statuses)).toEqual(['ready', 'reconnecting', 'ready'])
  expect(errors).toEqual([expect.objectContaining({ code: 'invalid_params' })])
  await client.close()
})

test('a target that cannot be opened is tried again, and the status says why', async () => {
  const { client, clock, lines, statuses, failOnce } = await open()
  failOnce(new Error('refused'))

  await lines[0]?.close()
  await clock.advance(200)
  await serverInfo(lines[1])

  expect(statuses.slice(1)).toMatchObject([
    { state: 'reconnecting', attempt: 1, cause: { code: 'connection_lost' } },
    { state: 'reconnecting', attempt: 2, cause: { cause: { message: 'refused' } } },
    { state: 'ready' },
  ])
  await client.close()
})

test('a subscription hears of the gap first, whatever the new server says before', async () => {
  const { client, clock, lines } = await open()
  const listening = client.listen({
    toolsListChanged: true,
    resourceSubscriptions: ['note://one'],
  })
  await answer(lines[0], 'resources/subscribe', {})
  const changes = (await listening)[Symbol.asyncIterator]()
  const first = changes.next() // somebody reads already

  await lines[0]?.close()
  await clock.advance(100)
  await serverInfo(lines[1])
  lines[1]?.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await untilIdle()
  await answer(lines[1], 'resources/subscribe', {})
  lines[1]?.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })

  expect((await first).value).toEqual({ type: 'gap' })
  expect((await changes.next()).value).toEqual({ type: 'tools' })
  await client.close()
})

test('a client whose heartbeat is not answered reconnects and sends again what it may [PING-02] [PING-08]', async () => {
  const { client, clock, lines, statuses } = await open({
    heartbeat: { everyMs: 1_000, timeoutMs: 10, failures: 1 },
  })
  const listing = client.listTools().toArray()
  const calling = client.callTool('once').catch((error: unknown) => error)

  await clock.advance(1_010)
  expect(await calling).toMatchObject({ code: 'connection_lost', details: { sent: true } })
  await clock.advance(100)
  await serverInfo(lines[1])
  await answer(lines[1], 'tools/list', { tools: [] })

  expect(await listing).toEqual([])
  expect(states(statuses)).toEqual(['ready', 'reconnecting', 'ready'])
  expect(lines[1]?.received.map(({ method }) => method)).not.toContain('tools/call')
  await client.close()
})

test('a client that is closed while it reconnects lets go of the connection it was opening', async () => {
  const { client, clock, lines, statuses } = await open()
  await lines[0]?.close()
  await clock.advance(100)
  await lines[1]?.next(({ method }) => method === 'initialize')

  await client.close()

  await lines[1]?.ended
  expect(states(statuses)).toEqual(['ready', 'reconnecting', 'closed'])
  expect(clock.pending).toBe(0)
})

test('a status that throws is reported and stops nothing', async () => {
  let isBroken = false
  const { client, clock, lines, errors } = await open({
    onStatus: () => {
      if (isBroken) throw new Error('ours')
    },
  })
  isBroken = true

  await lines[0]?.close()
  await clock.advance(100)
  await serverInfo(lines[1])
  const pinging = client.ping()
  await answer(lines[1], 'ping', {})

  expect(await pinging).toBeTypeOf('number')
  expect(errors.map((error) => (error as Error).message)).toEqual(['ours', 'ours'])
  await client.close()
})
