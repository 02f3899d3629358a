import { createRedisClusterStore } from '@parley/cluster/redis'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { hasRedis, ownRedis, type TestRedis } from '../../../../test-support/redis-server.ts'
import { connectTo, openTwoProcesses } from '../two-processes.ts'

const timeoutMs = 20_000 // for a machine that does other work besides

describe.skipIf(!hasRedis)('two endpoints with Redis between them', () => {
  /** Ended after the processes, which the test opens later and so closes earlier. */
  async function open(): Promise<TestRedis> {
    const server = await ownRedis()
    onTestFinished(() => server[Symbol.asyncDispose]())
    return server
  }

  test('plain calls of a session send Redis no command', async () => {
    const { url } = await open() // counts the commands of everybody
    const processes = await openTwoProcesses(() => createRedisClusterStore({ url, timeoutMs }), {
      leaseMs: 3_600_000, // so that no heartbeat is counted
    })
    await using client = await connectTo(processes)
    const redis = new Redis(url)
    onTestFinished(() => redis.disconnect())
    const commands = async (): Promise<number> => {
      const stats = await redis.info('commandstats')
      const calls = [...stats.matchAll(/^cmdstat_(?!info)\S+?:calls=(\d+)/gm)]
      return calls.reduce((sum, [, count]) => sum + Number(count), 0)
    }
    for (let call = 0; call < 4; call += 1) await client.callTool('where', {})
    const before = await commands()

    for (let call = 0; call < 100; call += 1) await client.callTool('where', {})

    expect((await commands()) - before).toBe(0)
  })

  test('sessions go on when Redis comes back empty, and can be changed again', async () => {
    const own = await open()
    const { url } = own
    const processes = await openTwoProcesses(() => createRedisClusterStore({ url, timeoutMs }))
    await using client = await connectTo(processes)
    for (let call = 0; call < 4; call += 1) await client.callTool('where', {})

    await own.kill()
    const away = await client.callTool('where', {})
    await own.start()

    expect(away.isError).toBeFalsy()
    await vi.waitFor(() => client.setLoggingLevel('debug'))
    for (let call = 0; call < 4; call += 1) await client.callTool('where', {})
  })
})
