import { randomUUID } from 'node:crypto'

import { createRedisClusterStore } from '@parley/cluster/redis'
import { storeContract } from '@parley/cluster/testing'
import { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { findFreePort } from '../../../../test-support/free-port.ts'
import { hasRedis, ownRedis, type TestRedis } from '../../../../test-support/redis-server.ts'
import { describeProcesses } from '../cluster-cases.ts'
import { until } from '../until.ts'

const slots = 16_384
const masters = 3

// Each refuses commands whose keys are in different slots, and sends those for slots of others there.
describe.skipIf(!hasRedis)('a store on a Redis Cluster of three masters', () => {
  const servers: TestRedis[] = []
  const clients: Redis[] = []
  beforeAll(async () => {
    for (let at = 0; at < masters; at += 1) {
      const bus = await findFreePort()
      const args = ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1']
      const server = await ownRedis([...args, '--cluster-port', String(bus)])
      const client = new Redis(server.url)
      const from = Math.ceil((slots * at) / masters)
      const to = Math.ceil((slots * (at + 1)) / masters) - 1
      await client.call('CLUSTER', 'ADDSLOTSRANGE', from, to)
      const first = servers[0]
      if (first) await client.call('CLUSTER', 'MEET', '127.0.0.1', first.port, await busOf(first))
      servers.push(server)
      clients.push(client)
    }
    for (const client of clients) {
      await until(async () => (await client.cluster('INFO')).includes('cluster_state:ok'))
    }
  })
  afterAll(async () => {
    for (const client of clients) client.disconnect()
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  })

  /** Where a server takes messages of the others: the second port of `host:port@port`. */
  async function busOf({ url }: TestRedis): Promise<string> {
    const client = new Redis(url)
    const nodes = String(await client.cluster('NODES'))
    client.disconnect()
    return /:\d+@(\d+)/.exec(nodes)?.[1] ?? ''
  }

  const open = (prefix: string) =>
    createRedisClusterStore({
      client: () =>
        new Cluster(
          servers.map(({ url }) => url),
          { lazyConnect: true },
        ),
      prefix,
      timeoutMs: 20_000,
    })

  const cases = storeContract(async () => {
    const prefix = `${randomUUID()}:`
    return { first: open(prefix), second: open(prefix) }
  })
  for (const { name, run } of cases) test(name, run)

  describeProcesses(() => {
    const prefix = `${randomUUID()}:`
    return () => open(prefix)
  })

  test('sessions are spread over all masters', async () => {
    const store = open(`${randomUUID()}:`)
    await store.start()
    for (let session = 0; session < 40; session += 1) {
      const key = { session: `session-${session}`, stream: '1' }
      const batch = { writer: 'a', firstSequence: 1, texts: ['one'], isLast: false }
      const limits = { events: 10, bytes: 1_000, endedMs: 60_000, openMs: 60_000 }
      await store.streams.append(key, batch, limits)
    }
    await store.close()

    for (const client of clients) expect(await client.dbsize()).toBeGreaterThan(0)
  })
})
