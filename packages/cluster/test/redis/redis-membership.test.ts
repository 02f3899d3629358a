import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'

import { createRedisClusterStore } from '@parley/cluster/redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { hasRedis, ownRedis, type TestRedis } from '../../../../test-support/redis-server.ts'
import { createMembership } from '../../src/cluster/membership.ts'
import { startPatiently, until } from '../until.ts'

const leaseMs = 1_500

describe.skipIf(!hasRedis)('leases on Redis', () => {
  let server: TestRedis
  beforeAll(async () => {
    server = await ownRedis()
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  async function open(node: string, prefix: string) {
    const store = createRedisClusterStore({ url: server.url, prefix, timeoutMs: 20_000 })
    await startPatiently(store)
    let renewedAt = 0
    const membership = createMembership({
      leases: store.leases,
      node,
      leaseMs,
      info: () => node,
      onError: () => undefined,
      onRenewed: () => (renewedAt = performance.now()),
    })
    onTestFinished(async () => {
      await membership.stop()
      await store.close()
    })
    return { store, membership, renewedAt: () => renewedAt }
  }

  test('a process is judged by others only after they have been there for one lease', async () => {
    const prefix = `${randomUUID()}:`
    const { membership, renewedAt } = await open('a', prefix)
    await membership.start()
    const startedAt = renewedAt()

    expect(await membership.isDisconnected('nobody')).toBe(false)
    await until(() => membership.isDisconnected('nobody'))

    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(leaseMs)
  })

  test('a process that cannot reach its store is unready, and ready again when it can', async () => {
    const { membership, renewedAt } = await open('a', `${randomUUID()}:`)
    await membership.start()

    server.pause()
    onTestFinished(() => server.resume())
    await until(() => !membership.health().isReady)
    expect(performance.now() - renewedAt()).toBeGreaterThan(leaseMs / 2)

    server.resume()
    await until(() => membership.health().isReady)
  })

  test('a process that stops is gone for the others at once', async () => {
    const prefix = `${randomUUID()}:`
    const a = await open('a', prefix)
    const b = await open('b', prefix)
    await a.membership.start()
    await b.membership.start()
    expect((await a.store.leases.alive()).map(({ node }) => node)).toEqual(['a', 'b'])

    await b.membership.stop()

    expect((await a.store.leases.alive()).map(({ node }) => node)).toEqual(['a'])
  })
})
