import type { ConnectOptions, ClientStatus } from '@parley/mcp/client'
import { createTransportPair, createVirtualClock, type VirtualClock } from '@parley/mcp/testing'
import { describe, expect, test } from 'vitest'

import { createClient } from '../../src/client/create-client.ts'
import { openRawServer, type RawServer } from '../support/raw-server.ts'

const capabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
}

describe('a client that reconnects', () => {
  test('waits a while, says so, and makes calls wait', async () => {
    const { client, servers, statuses, clock } = await open()

    await servers[0]?.close()
    await clock.advance(0)
    const pinging = client.ping()
    expect(statuses.at(-1)).toMatchObject({
      state: 'reconnecting',
      attempt: 1,
      nextAt: 500,
      cause: { code: 'connection_lost' },
    })
    await clock.advance(500)
    await servers[1]?.accept({ capabilities })
    await servers[1]?.answer('ping', {})
    await pinging

    expect(statuses.map(({ state }) => state)).toEqual(['ready', 'reconnecting', 'ready'])
    await client.close()
  })

  test.each([
    ['a list', true, {}, 'tools/list'],
    ['a read-only tool', true, { readOnlyHint: true }, 'tools/call'],
    [
      'a tool that may be called again',
      true,
      { readOnlyHint: false, idempotentHint: true },
      'tools/call',
    ],
    ['a tool that says nothing', false, {}, 'tools/call'],
  ])('sends again what is safe to: %s', async (_, isSafe, annotations, method) => {
    const { client, servers, clock } = await open()
    const listing = client.listTools().toArray()
    const inputSchema = { type: 'object' }
    await servers[0]?.answer('tools/list', { tools: [{ name: 'do', inputSchema, annotations }] })
    await listing

    const calling = method === 'tools/call' ? client.callTool('do') : client.listTools().toArray()
    const outcome = calling.catch((error: { code: string }) => error.code)
    await servers[0]?.expect(method)
    await servers[0]?.close()
    await clock.advance(500)
    await servers[1]?.accept({ capabilities })

    if (isSafe) {
      await servers[1]?.answer(method, { content: [], tools: [] })
      expect(await outcome).not.toBe('connection_lost')
    } else {
      expect(await outcome).toBe('connection_lost')
      expect((await servers[1]?.quiet())?.map((frame) => frame.method)).not.toContain(method)
    }
    await client.close()
  })

  test('restores the log level and what was followed, and tells of the gap', async () => {
    const { client, servers, clock } = await open()
    const setting = client.setLoggingLevel('debug')
    await servers[0]?.answer('logging/setLevel', {})
    await setting
    const opening = client.listen({ resourceSubscriptions: ['notes://1'] })
    await servers[0]?.answer('resources/subscribe', {})
    const changes = (await opening)[Symbol.asyncIterator]()

    await servers[0]?.close()
    await clock.advance(500)
    void servers[1]?.accept({ capabilities })
    const level = await servers[1]?.answer('logging/setLevel', {})
    const subscribed = await servers[1]?.answer('resources/subscribe', {})

    expect(level?.params).toEqual({ level: 'debug' })
    expect(subscribed?.params).toEqual({ uri: 'notes://1' })
    expect((await changes.next()).value).toEqual({ type: 'gap' })
    await client.close()
  })

  test('gives up after as many attempts as it may, with the last reason', async () => {
    const { client, servers, statuses, clock } = await open({
      reconnect: { maxAttempts: 2, minDelayMs: 10, maxDelayMs: 10 },
    })

    await servers[0]?.close()
    await clock.advance(10)
    await servers[1]?.close()
    await clock.advance(10)
    await servers[2]?.close()
    await clock.advance(0)

    expect(statuses.at(-1)).toMatchObject({ state: 'closed', cause: { code: 'connection_lost' } })
    await expect(client.ping()).rejects.toMatchObject({ code: 'connection_lost' })
    await client.close()
  })

  test('stops trying when it is closed', async () => {
    const { client, servers, statuses, clock } = await open()
    await servers[0]?.close()
    await clock.advance(0)
    const waiting = client.ping().catch((error: unknown) => error)

    await client.close()
    await clock.advance(60_000)

    expect(await waiting).toMatchObject({ code: 'closed' })
    expect(statuses.at(-1)).toEqual({ state: 'closed' })
    expect(servers).toHaveLength(1)
  })
})

interface Opened {
  readonly client: Awaited<ReturnType<typeof createClient>>
  /** One for each connection there has been. */
  readonly servers: readonly RawServer[]
  readonly statuses: readonly ClientStatus[]
  readonly clock: VirtualClock
}

/** A client whose every connection is answered by hand. */
async function open(options: ConnectOptions = {}): Promise<Opened> {
  const clock = createVirtualClock()
  const servers: RawServer[] = []
  const statuses: ClientStatus[] = []
  let made: ReturnType<typeof createClient> | undefined
  const connecting = createClient(
    () => {
      const [near, far] = createTransportPair()
      servers.push(
        openRawServer(far, '2025-06-18', () => made ?? Promise.reject(new Error('none'))),
      )
      return near
    },
    {
      clock,
      onError: () => undefined,
      onStatus: (status) => statuses.push(status),
      protocolVersion: 'legacy',
      reconnect: { minDelayMs: 500, maxDelayMs: 500 },
      ...options,
    },
  )
  made = connecting
  await servers[0]?.accept({ capabilities }).catch(() => undefined) // its own promise was made too early
  return { client: await connecting, servers, statuses, clock }
}
