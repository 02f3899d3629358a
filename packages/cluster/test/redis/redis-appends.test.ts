import { createRedisCluster } from '@parley/cluster/redis'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'

import { hasRedis, ownRedis } from '../../../../test-support/redis-server.ts'
import { testSecret } from '../two-processes.ts'

test.skipIf(!hasRedis)(
  'six batches of a stream that nobody reads elsewhere are six commands, and its lifetime is written twice',
  async () => {
    const { redis, writer, reader, append } = await open()

    await redis.config('RESETSTAT')
    for (let sequence = 1; sequence <= 6; sequence += 1) await append(sequence, sequence === 6)
    const counts = await countsOf(redis)
    await reader.log.read(ref, 0, 10)
    const second = { ...ref, streamId: 'two' }
    await writer.log.append(second, { firstSequence: 1, texts: ['one'], isLast: false })
    await reader.log.read(second, 0, 10)
    await redis.config('RESETSTAT')
    await writer.log.append(second, { firstSequence: 2, texts: ['two'], isLast: false })

    expect(counts.evalsha).toBe(6)
    expect(counts.publish).toBe(0)
    expect(counts.zadd).toBe(2)
    expect(await countsOf(redis)).toMatchObject({ evalsha: 1, publish: 1 })
  },
)

test.skipIf(!hasRedis)(
  'a stream that begins without events expires with those that it gets later',
  async () => {
    const { redis, append, writer } = await open()

    await writer.log.append(ref, { firstSequence: 1, texts: [], isLast: false })
    await append(1, false)

    const keys = await redis.keys('*stream*')
    expect(keys.length).toBe(3)
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0)
  },
)

const ref = { sessionId: 'session', streamId: 'one' }

async function open() {
  const server = await ownRedis()
  onTestFinished(() => server[Symbol.asyncDispose]())
  const redis = new Redis(server.url)
  onTestFinished(() => redis.disconnect())
  const join = async () => {
    const cluster = createRedisCluster({ url: server.url, secret: testSecret, leaseMs: 60_000 })
    onTestFinished(() => cluster.close())
    await cluster.start()
    return cluster
  }
  const [writer, reader] = [await join(), await join()]
  const append = (firstSequence: number, isLast: boolean) =>
    writer.log.append(ref, { firstSequence, texts: [`event ${firstSequence}`], isLast })
  await append(1, false) // so that the script is known, and the stream has begun
  await writer.log.dropSession?.(ref.sessionId)
  return { redis, writer, reader, append }
}

/** How often Redis ran each command. */
async function countsOf(redis: Redis) {
  const text = await redis.info('commandstats')
  const countOf = (name: string): number =>
    Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(text)?.[1] ?? 0)
  return { evalsha: countOf('evalsha'), publish: countOf('publish'), zadd: countOf('zadd') }
}
