import { randomUUID } from 'node:crypto'

import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import {
  hasRedis,
  installRedis,
  startRedis,
  type TestRedis,
} from '../../../../test-support/redis-server.ts'
import { StoreUnavailable, type ClusterStore } from '../../src/index.ts'
import { createRedisStore, type RedisStoreOptions } from '../../src/redis/index.ts'
import { startPatiently, until } from '../until.ts'

const longMs = 60_000
/** For a machine that does other work besides. */
const timeoutMs = 20_000
const limits = { events: 100, bytes: 1_000_000, endedMs: longMs, openMs: longMs }
const title = 'faults of Redis'

describe.skipIf(!hasRedis)(hasRedis ? title : `${title}: needs ${installRedis}`, () => {
  let server: TestRedis
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis()
    redis = new Redis(server.url)
    redis.on('error', () => undefined)
  })
  afterAll(async () => {
    redis.disconnect()
    await server[Symbol.asyncDispose]()
  })

  function open(options: RedisStoreOptions = {}): ClusterStore {
    const source = options.client || options.connection ? {} : { url: server.url }
    const store = createRedisStore({ ...source, prefix: `${randomUUID()}:`, timeoutMs, ...options })
    onTestFinished(() => store.close())
    return store
  }

  async function openStarted(options?: RedisStoreOptions): Promise<ClusterStore> {
    const store = open(options)
    await startPatiently(store)
    return store
  }

  test('commands fail while the server is gone, and work again when it is back', async () => {
    const store = await openStarted()
    const heard: string[] = []
    using _ = store.bus.subscribe('news', (text) => heard.push(text))
    const { cursor } = await store.feeds.readSince('feed', undefined)
    const key = { session: 's', stream: '1' }
    const batch = { writer: 'a', texts: ['one'], isLast: false }
    await store.streams.append(key, { ...batch, firstSequence: 1 }, limits)

    await server.kill()
    const failure = await until(async () =>
      store.once.add('mark', longMs).then(
        () => undefined,
        (error: unknown) => error,
      ),
    )
    expect(failure).toBeInstanceOf(StoreUnavailable)

    await server.start()
    await until(() => store.once.add('another', longMs).catch(() => false))
    expect((await store.feeds.readSince('feed', cursor)).hasGap).toBe(true)
    expect(await store.streams.append(key, { ...batch, firstSequence: 2 }, limits)).toBe(false)
    await until(() => {
      store.bus.publish('news', 'back')
      return heard.includes('back')
    })
  })

  test('commands time out at a server that has stopped, and work again when it goes on', async () => {
    const store = await openStarted({ timeoutMs: 300 })

    server.pause()
    const failure: unknown = await store.once.add('mark', longMs).catch((error: unknown) => error)
    server.resume()

    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect(String(failure)).toContain('Redis did not answer within 300 ms')
    await until(() => store.once.add('another', longMs).catch(() => false))
  })

  test('a server that does not answer for long gets a new connection', async () => {
    const store = await openStarted({ timeoutMs: 100 })

    server.pause()
    const message = await until(async () => {
      const error: unknown = await store.once.add('mark', longMs).catch((reason: unknown) => reason)
      return String(error).includes('not connected') && String(error)
    })
    server.resume()

    expect(message).toContain('Redis is not connected')
    await until(() => store.once.add('another', longMs).catch(() => false))
  })

  test('a start that fails can be repeated, and nothing works before it', async () => {
    const store = open()
    await expect(store.once.add('mark', longMs)).rejects.toThrow('await `start()` first')

    await server.kill()
    const failure: unknown = await store.start().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreUnavailable)
    expect(String((failure as StoreUnavailable).cause)).toContain('ECONNREFUSED')

    await server.start()
    await startPatiently(store)
    expect(await store.once.add('mark', longMs)).toBe(true)
  })

  test('keys of another version are refused', async () => {
    const prefix = `${randomUUID()}:`
    await redis.set(`${prefix}format`, '7')

    const failure: unknown = await open({ prefix })
      .start()
      .catch((error: unknown) => error)

    expect(failure).not.toBeInstanceOf(StoreUnavailable)
    expect(String(failure)).toContain(
      `the keys under "${prefix}" have format "7", and this version of @parley/cluster writes format "1": set \`prefix\``,
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
    const { feeds } = await openStarted({ prefix })
    const start = await feeds.readSince('news', undefined)
    await feeds.append('news', 'kept', longMs)
    await feeds.append('news', 'lost', longMs)
    const { texts, cursor } = await feeds.readSince('news', start.cursor)
    expect(texts).toEqual(['kept', 'lost'])

    await redis.rpop(`${prefix}feed-entries:{4:news}`)
    await redis.hincrby(`${prefix}feed:{4:news}`, 'last', -1)
    expect((await feeds.readSince('news', cursor)).hasGap).toBe(true)
    await feeds.append('news', 'new', longMs)

    expect(await feeds.readSince('news', cursor)).toMatchObject({
      texts: ['kept', 'new'],
      hasGap: true,
    })
  })

  test('everything that is written expires, and bears the prefix', async () => {
    const prefix = `${randomUUID()}:`
    const store = await openStarted({ prefix })
    const key = { session: 's', stream: '1' }
    const batch = { writer: 'a', firstSequence: 1, texts: ['one'], isLast: false }

    await store.records.put({ group: 'g', id: 'a' }, 'text', 0, longMs)
    await store.feeds.append('feed', 'text', longMs)
    await store.once.add('mark', longMs)
    await store.leases.renew('node', longMs, 'info')
    await store.streams.append(key, batch, limits)
    await store.streams.read(key, 0, limits)
    await store.budgets.take('calls', 1, 10, longMs)

    const keys = await redis.keys(`${prefix}*`)
    const lasting = await Promise.all(keys.map(async (name) => [name, await redis.pttl(name)]))
    expect(keys).toHaveLength(13)
    expect(lasting.filter(([, ttl]) => ttl === -1)).toEqual([[`${prefix}format`, -1]])
  })

  test('a client that is given is used, and is not closed', async () => {
    const client = new Redis(server.url)
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
    const url = new URL(server.url)
    const connection = { port: Number(url.port), username: 'parley', password: 'secret' }

    const store = await openStarted({ prefix, connection })

    expect(await store.records.put({ group: 'g', id: 'a' }, 'text', 0, longMs)).toBe(true)
    const wrong = open({ prefix, connection: { ...connection, password: 'wrong' } })
    await expect(wrong.start()).rejects.toThrow(StoreUnavailable)
  })

  test('wrong options are refused at once', () => {
    expect(() => createRedisStore({})).toThrow('no Redis server is configured: set `url`')
    expect(() => createRedisStore({ url: server.url, prefix: 'a{b' })).toThrow('prefix "a{b"')
    expect(() => open({ timeoutMs: Number.NaN })).toThrow('timeoutMs NaN is out of range')
    const client = new Redis(server.url, { keyPrefix: 'x:', lazyConnect: true })
    expect(() => createRedisStore({ client })).toThrow('use the option `prefix` of the store')
  })
})
