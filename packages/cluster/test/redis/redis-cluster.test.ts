import { randomUUID } from 'node:crypto'

import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import {
  hasRedis,
  installRedis,
  startRedis,
  type TestRedis,
} from '../../../../test-support/redis-server.ts'
import { createRedisStore } from '../../src/redis/index.ts'
import { describeProcesses } from '../cluster-cases.ts'
import { describeRotation } from '../rotation-cases.ts'
import { connectTo, openTwoProcesses } from '../two-processes.ts'

const title = 'two endpoints with Redis between them'

describe.skipIf(!hasRedis)(hasRedis ? title : `${title}: needs ${installRedis}`, () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  const newStore = () => {
    const options = { url: server.url, prefix: `${randomUUID()}:`, timeoutMs: 20_000 }
    return () => createRedisStore(options)
  }
  describeProcesses(newStore)
  describeRotation(newStore)

  test('plain calls of a session send Redis no command', async () => {
    const options = { url: server.url, prefix: `${randomUUID()}:`, timeoutMs: 20_000 }
    const processes = await openTwoProcesses(() => createRedisStore(options), {
      leaseMs: 3_600_000, // so that no heartbeat is counted
    })
    await using client = await connectTo(processes)
    const redis = new Redis(server.url)
    const commands = async (): Promise<number> => {
      const stats = await redis.info('commandstats')
      const calls = [...stats.matchAll(/^cmdstat_(?!info)\S+?:calls=(\d+)/gm)]
      return calls.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    for (let call = 0; call < 4; call += 1) await client.callTool('where', {})
    const before = await commands()

    for (let call = 0; call < 100; call += 1) await client.callTool('where', {})

    expect((await commands()) - before).toBe(0)
    await redis.quit()
  })

  test('sessions go on when Redis comes back empty, and can be changed again', async () => {
    await using own = await startRedis()
    const options = { url: own.url, timeoutMs: 20_000 }
    const processes = await openTwoProcesses(() => createRedisStore(options))
    await using client = await connectTo(processes)
    for (let call = 0; call < 4; call += 1) await client.callTool('where', {})

    await own.kill()
    const away = await client.callTool('where', {})
    await own.start()

    expect(away.isError).toBeFalsy()
    await vi.waitFor(() => client.setLoggingLevel('debug'), { timeout: 30_000, interval: 200 })
    for (let call = 0; call < 4; call += 1) await client.callTool('where', {})
  })
})
