import type { ClusterStore } from '@parley/cluster'
import { createRedisClusterStore, type RedisStoreOptions } from '@parley/cluster/redis'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { hasRedis, sharedRedis } from '../../../../test-support/redis-server.ts'
import { createStoredSessions } from '../../src/cluster/stored-sessions.ts'
import { createPreviousRedisStore } from '../fixtures/redis-format-1.mjs'
import { newName } from '../stores.ts'
import { until } from '../until.ts'

const timeoutMs = 20_000
const keepMs = 60_000
const leaseMs = 100
const record = { group: 'session/ada', id: 'facts', isAlone: true } as const
/** Written to see in which format a process writes. */
const probe = { group: 'session/probe', id: 'facts', isAlone: true } as const

describe.skipIf(!hasRedis)('two formats of keys in Redis', () => {
  let url: string
  let redis: Redis
  beforeAll(async () => {
    url = await sharedRedis()
    redis = new Redis(url)
    return () => redis.disconnect()
  })

  interface Node {
    readonly store: ClusterStore
    renew(): Promise<void>
  }

  async function join(node: string, store: ClusterStore): Promise<Node> {
    onTestFinished(() => store.close())
    await store.start()
    const renew = (): Promise<void> => store.leases.renew(node, leaseMs, node)
    await renew()
    return { store, renew }
  }
  const previous = (prefix: string) => join('previous', createPreviousRedisStore(url, prefix))
  const current = (node: string, prefix: string, options: RedisStoreOptions = {}) =>
    join(node, createRedisClusterStore({ url, prefix, timeoutMs, ...options }))
  const keysOf = async (prefix: string): Promise<string[]> =>
    (await redis.keys(`${prefix}*{*session/*`))
      .filter((key) => !key.includes(probe.group))
      .toSorted()
  const formatOf = (prefix: string) => redis.get(`${prefix}format`)

  /** Renews until this process writes the newest format, whatever stands in the key. */
  async function untilNewest({ store, renew }: Node, prefix: string): Promise<void> {
    await until(async () => {
      await renew()
      await store.records.remove(probe)
      await store.records.put(probe, 'x', 0, keepMs)
      return (await redis.exists(`${prefix}one:{13:session/probe}`)) === 1
    })
  }

  test('the older one is written for as long as a process that reads no other is alive', async () => {
    const prefix = `${newName()}:`
    const old = await previous(prefix)
    const node = await current('new', prefix)
    const sessions = [old, node].map(({ store }) => createStoredSessions(store))
    const end = performance.now() + 3 * leaseMs
    while (performance.now() < end) await Promise.all([old.renew(), node.renew()])

    await sessions[1]?.end('ada', keepMs)

    expect(await sessions[0]?.get('ada')).toBe('ended')
    expect(await formatOf(prefix)).toBe('1')
  })

  test('when the last old process has ended, the newer is written, what is there is read, and no old one starts', async () => {
    const prefix = `${newName()}:`
    const old = await previous(prefix)
    const node = await current('new', prefix)
    await old.store.records.put(record, 'of the old process', 0, keepMs)
    await old.store.leases.release('previous')
    await untilNewest(node, prefix)

    expect(await node.store.records.get(record)).toEqual({ text: 'of the old process', version: 1 })
    expect(await node.store.records.put(record, 'too late', 0, keepMs)).toBe(false)
    expect(await node.store.records.put(record, 'changed', 1, keepMs)).toBe(true)

    expect(await node.store.records.get(record)).toEqual({ text: 'changed', version: 2 })
    expect(await keysOf(prefix)).toEqual([`${prefix}one:{11:session/ada}`])
    await expect(previous(prefix)).rejects.toThrow('format 2')
  })

  test('processes that notice one after the other change the same record, none without having seen the last change', async () => {
    const prefix = `${newName()}:`
    const first = await current('first', prefix)
    const later = await current('later', prefix)
    await until(async () => {
      await later.store.leases.renew('later', keepMs, 'later')
      await first.renew()
      return (await formatOf(prefix)) === '2'
    })
    await untilNewest(first, prefix)

    expect(await first.store.records.put(record, 'one', 0, keepMs)).toBe(true)
    expect(await later.store.records.put(record, 'two', 1, keepMs)).toBe(true)
    expect(await first.store.records.put(record, 'stale', 1, keepMs)).toBe(false)
    expect(await first.store.records.put(record, 'three', 2, keepMs)).toBe(true)
    expect(await later.store.records.get(record)).toEqual({ text: 'three', version: 3 })
    await later.store.records.remove(record)
    expect(await first.store.records.get(record)).toBeUndefined()
  })

  test('maxFormat keeps all processes to the older one, so that the version before can be started again', async () => {
    const prefix = `${newName()}:`
    const careful = await current('careful', prefix, { maxFormat: 1 })
    const node = await current('new', prefix)
    const end = performance.now() + 3 * leaseMs
    while (performance.now() < end) await Promise.all([careful.renew(), node.renew()])

    await node.store.records.put(record, 'kept', 0, keepMs)

    const old = await previous(prefix)
    expect(await old.store.records.get(record)).toEqual({ text: 'kept', version: 1 })
  })

  test('a store that came back empty is written in the older one, until all have said what they read', async () => {
    const prefix = `${newName()}:`
    const node = await current('new', prefix)
    await untilNewest(node, prefix)
    await redis.del(...(await redis.keys(`${prefix}*`)))

    await node.renew()
    await node.store.records.put(record, 'kept', 0, keepMs)

    const old = await previous(prefix)
    expect(await old.store.records.get(record)).toEqual({ text: 'kept', version: 1 })
  })

  test('a newer one is refused with the cure: at a start, and by a process that was away when it came', async () => {
    const prefix = `${newName()}:`
    const node = await current('new', prefix)
    await node.store.leases.release('new')
    await redis.set(`${prefix}format`, '3')
    const rejection =
      /have format "3", .* reads formats 1 and 2: start the version that wrote them, or a newer one/

    await expect(node.renew()).rejects.toThrow(rejection)
    await expect(current('late', prefix)).rejects.toThrow(rejection)
    expect(() => createRedisClusterStore({ url, maxFormat: 3 as 2 })).toThrow('maxFormat 3')
  })

  test('an ended session and a record take less in the newer', async () => {
    const key = '0123456789abcdef0123456789abcdef'
    const data = { subscriptions: ['file:///notes'] }
    const [before, after] = await Promise.all(
      ([1, 2] as const).map(async (maxFormat) => {
        const prefix = `${newName()}:`
        await redis.set(`${prefix}format`, maxFormat)
        const { store } = await current('new', prefix, { maxFormat })
        const sessions = createStoredSessions(store)
        await sessions.update(key, { data, version: 0 }, keepMs)
        const changed = await bytesOf(prefix)
        await sessions.end(key, keepMs)
        return { changed, ended: await bytesOf(prefix) }
      }),
    )

    expect(after?.ended).toBeLessThanOrEqual(170)
    expect(after?.changed).toBeLessThanOrEqual(209)
    expect(before?.ended).toBeGreaterThan(2 * (after?.ended ?? 0))
  })

  async function bytesOf(prefix: string): Promise<number> {
    const sizes = await Promise.all((await keysOf(prefix)).map((key) => redis.memory('USAGE', key)))
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
  }
})
