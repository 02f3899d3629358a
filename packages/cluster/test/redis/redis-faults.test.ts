import { randomUUID } from 'node:crypto'

import { StoreUnavailable } from '@parley/cluster'
import { createRedisClusterStore, type RedisStoreOptions } from '@parley/cluster/redis'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { hasRedis, ownRedis, type TestRedis } from '../../../../test-support/redis-server.ts'
import {
  batch,
  describeFaults,
  expectGapAfterLoss,
  key,
  limits,
  longMs,
  type FaultyEngine,
} from '../store-faults.ts'
import { until } from '../until.ts'

const engine: FaultyEngine<TestRedis, RedisStoreOptions> = {
  name: 'Redis',
  isInstalled: hasRedis,
  keeps: 'nothing',
  start: ownRedis,
  open(server, options) {
    const source = options.client || options.connection ? {} : { url: server.url }
    return createRedisClusterStore({ ...source, prefix: `${randomUUID()}:`, ...options })
  },
}

describeFaults(engine, (frame) => {
  const { open, openStarted } = frame
  let redis: Redis
  beforeAll(() => {
    redis = new Redis(frame.server.url)
    redis.on('error', () => undefined)
  })
  afterAll(() => redis.disconnect())

  test('a server that does not answer for long gets a new connection', async () => {
    const store = await openStarted({ timeoutMs: 100 })

    frame.server.pause()
    const message = await until(async () => {
      const error: unknown = await store.once.add('mark', longMs).catch((reason: unknown) => reason)
      return String(error).includes('not connected') && String(error)
    })
    frame.server.resume()

    expect(message).toContain('Redis is not connected')
    await until(() => store.once.add('another', longMs).catch(() => false))
  })

  test('keys of another version are refused', async () => {
    const prefix = `${randomUUID()}:`
    await redis.set(`${prefix}format`, '7')

    const failure: unknown = await open({ prefix })
      .start()
      .catch((error: unknown) => error)

    expect(failure).not.toBeInstanceOf(StoreUnavailable)
    expect(String(failure)).toContain(
      `the keys under "${prefix}" have format "7", and this version of @parley/cluster reads formats 1 and 2: start the version that wrote them`,
    )
  })

  test('scripts that the server has forgotten are sent again', async () => {
    const store = await openStarted()
    await redis.script('FLUSH')

    expect(await store.once.add('mark', longMs)).toBe(true)
  })

  test('an error of the server does not show what was sent', async () => {
    const prefix = `${randomUUID()}:`
    const store = await openStarted({ prefix })
    await redis.set(`${prefix}budget:{6:secret}`, 'no hash')

    const failure: unknown = await store.budgets
      .take('secret', 1, 1, longMs)
      .catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect((failure as StoreUnavailable).cause).not.toHaveProperty('command')
    expect(String(failure)).toContain('WRONGTYPE')
  })

  test('a feed that lost its newest entries is a gap, even when others took their numbers', async () => {
    const prefix = `${randomUUID()}:`

    await expectGapAfterLoss(await openStarted({ prefix }), async () => {
      await redis.rpop(`${prefix}feed-entries:{4:news}`)
      await redis.hincrby(`${prefix}feed:{4:news}`, 'last', -1)
    })
  })

  test('everything that is written expires, and bears the prefix', async () => {
    const prefix = `${randomUUID()}:`
    await redis.set(`${prefix}format`, '2')
    const store = await openStarted({ prefix })

    await store.records.put({ group: 'g', id: 'a' }, 'text', 0, longMs)
    await store.records.put({ group: 'one', id: 'a', isAlone: true }, 'text', 0, longMs)
    await store.feeds.append('feed', 'text', longMs)
    await store.once.add('mark', longMs)
    await store.leases.renew('node', longMs, 'info')
    await store.streams.append(key, { ...batch, firstSequence: 1 }, limits)
    await store.streams.read(key, 0, limits)
    await store.budgets.take('calls', 1, 10, longMs)

    const keys = await redis.keys(`${prefix}*`)
    const lasting = await Promise.all(keys.map(async (name) => [name, await redis.pttl(name)]))
    expect(keys).toHaveLength(15)
    expect(lasting.filter(([, ttl]) => ttl === -1)).toEqual([[`${prefix}format`, -1]])
  })

  test('a client that is given is used, and is not closed', async () => {
    const client = new Redis(frame.server.url)
    onTestFinished(() => client.disconnect())
    const before = client.listenerCount('error')
    const store = await openStarted({ client })

    expect(await store.once.add('mark', longMs)).toBe(true)
    await store.close()

    await expect(store.once.add('mark', longMs)).rejects.toThrow('the store is closed')
    expect(await client.ping()).toBe('PONG')
    expect(client.listenerCount('error')).toBe(before)
  })

  test('a user with a password and few rights is enough', async () => {
    const prefix = `${randomUUID()}:`
    const rights = ['~' + prefix + '*', '&' + prefix + '*', '+@read', '+@write', '+@pubsub']
    const more = ['+@connection', '+@scripting', '+time', '+info']
    await redis.acl('SETUSER', 'parley', 'on', '>secret', ...rights, ...more)
    const url = new URL(frame.server.url)
    const connection = { port: Number(url.port), username: 'parley', password: 'secret' }

    const store = await openStarted({ prefix, connection })

    expect(await store.records.put({ group: 'g', id: 'a' }, 'text', 0, longMs)).toBe(true)
    const wrong = open({ prefix, connection: { ...connection, password: 'wrong' } })
    await expect(wrong.start()).rejects.toThrow('correct user and password')
  })

  test('wrong options are refused at once', () => {
    expect(() => createRedisClusterStore({})).toThrow('no Redis server is configured: set `url`')
    expect(() => createRedisClusterStore({ url: frame.server.url, prefix: 'a{b' })).toThrow(
      'prefix "a{b"',
    )
    expect(() => open({ timeoutMs: Number.NaN })).toThrow('timeoutMs NaN is out of range')
    const client = new Redis(frame.server.url, { keyPrefix: 'x:', lazyConnect: true })
    expect(() => createRedisClusterStore({ client })).toThrow(
      'use the option `prefix` of the store',
    )
  })
})
