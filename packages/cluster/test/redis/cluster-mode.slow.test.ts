import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { createRedisClusterStore } from '@parley/cluster/redis'
import { storeContract } from '@parley/cluster/testing'
import { Cluster, Redis } from 'ioredis'
import { afterAll, beforeAll, describe, test } from 'vitest'

import { hasRedis, ownRedis, type TestRedis } from '../../../../test-support/redis-server.ts'

// One server has all slots. It still refuses a command whose keys are in different ones.
describe.skipIf(!hasRedis)('a store on a Redis Cluster', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await ownRedis(['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'])
    const redis = new Redis(server.url)
    const slots = Array.from({ length: 16_384 }, (_, slot) => slot)
    await redis.cluster('ADDSLOTS', ...slots)
    while (!(await redis.cluster('INFO')).includes('cluster_state:ok')) await sleep(50)
    redis.disconnect()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const cases = storeContract(async () => {
    const options = {
      client: () => new Cluster([server.url], { lazyConnect: true }),
      prefix: `${randomUUID()}:`,
      timeoutMs: 20_000,
    }
    return { first: createRedisClusterStore(options), second: createRedisClusterStore(options) }
  })
  for (const { name, run } of cases) test(name, run)
})
