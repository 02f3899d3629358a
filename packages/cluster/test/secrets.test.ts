import {
  type ClusterOptions,
  type ClusterStore,
  createCluster,
  createMemoryClusterStore,
  createMemoryCluster,
} from '@parley/cluster'
import { createPostgresCluster } from '@parley/cluster/postgres'
import { createRedisCluster } from '@parley/cluster/redis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { until } from './until.ts'

const oldSecret = 'the old secret of these tests, long enough'
const newSecret = 'the new secret of these tests, long enough'

function open(store: ClusterStore, secret: ClusterOptions['secret'], options = {}) {
  const cluster = createCluster(store, { secret, ...options })
  onTestFinished(() => cluster.close())
  return cluster
}

describe('the secret of a cluster', () => {
  const howTo = `node -e "console.log(require('crypto').randomBytes(32).toString('base64url'))"`

  test.each([
    ['createCluster', (secret) => createCluster(createMemoryClusterStore(), { secret })],
    ['redisCluster', (secret) => createRedisCluster({ url: 'redis://127.0.0.1:1', secret })],
    [
      'postgresCluster',
      (secret) => createPostgresCluster({ connectionString: 'postgres://127.0.0.1:1/x', secret }),
    ],
  ] as const satisfies readonly (readonly [
    string,
    (secret: ClusterOptions['secret']) => unknown,
  ])[])('%s refuses one that is missing or too short, and says how to make one', (_, make) => {
    const long = 'x'.repeat(32)
    const refused = [undefined, '', [], 'x'.repeat(31), [long, 'short'], () => 'short'] as const
    for (const secret of refused) {
      expect(() => make(secret)).toThrow(
        expect.objectContaining({
          code: 'invalid_definition',
          message: expect.stringContaining(howTo),
        }),
      )
    }
    expect(() => make([long, 'short'])).toThrow(
      'secret 2 of 2 of the cluster has 5 characters: use at least 32',
    )
    expect(() => make(undefined)).toThrow('the cluster needs a secret of at least 32 characters')
  })

  test('is never part of a message', () => {
    const short = 'my password'
    expect(() => createCluster(createMemoryClusterStore(), { secret: short })).not.toThrow(short)
  })

  test('is made by a cluster of one process itself', () => {
    const [a, b] = [createMemoryCluster(), createMemoryCluster()]

    expect(a.secrets()[0]?.length).toBeGreaterThanOrEqual(32)
    expect(a.secrets()).not.toEqual(b.secrets())
  })

  test('of a function is asked again with every heartbeat; one that is wrong is reported', async () => {
    let current: string | string[] = oldSecret
    const errors: unknown[] = []
    const cluster = open(createMemoryClusterStore(), () => current, {
      leaseMs: 150,
      onError: (error: unknown) => errors.push(error),
    })
    await cluster.start()
    const before = cluster.secrets()
    expect(cluster.secrets()).toBe(before) // the same list while nothing changes

    current = 'short'
    await until(() => errors.length > 0)
    expect(cluster.secrets()).toEqual([oldSecret])
    current = [newSecret, oldSecret]
    await until(() => cluster.secrets().length === 2)

    expect(cluster.secrets()).toEqual([newSecret, oldSecret])
    expect(errors[0]).toMatchObject({ code: 'invalid_definition' })
  })
})

describe('a process with another secret than the others', () => {
  test('does not start, says so, and leaves nothing behind', async () => {
    const store = createMemoryClusterStore()
    await open(store, oldSecret).start()
    const stranger = open(store, newSecret)

    await expect(stranger.start()).rejects.toThrow(
      /^the secret of this process is unknown to the 1 of the cluster that run already \(\S+ \d+\): give the same secret to all/,
    )
    await expect(stranger.start()).rejects.toThrow('unknown')

    expect(await store.leases.alive()).toHaveLength(1)
    expect(stranger.health()).toEqual({ isReady: false, why: 'the cluster is not started' })
  })

  test('starts when the others have ended', async () => {
    const store = createMemoryClusterStore()
    const first = open(store, oldSecret)
    await first.start()
    const stranger = open(store, newSecret)
    await expect(stranger.start()).rejects.toThrow('unknown')

    await first.close()
    await stranger.start()

    expect(stranger.health()).toEqual({ isReady: true })
  })

  test.each([
    ['[old, new] beside [old]', [oldSecret, newSecret], [oldSecret]],
    ['[new, old] beside [old, new]', [newSecret, oldSecret], [oldSecret, newSecret]],
    ['[new] beside [new, old]', [newSecret], [newSecret, oldSecret]],
    ['[old] beside [new, old]', [oldSecret], [newSecret, oldSecret]],
  ])('starts while the secret is replaced: %s', async (_, own, others) => {
    const store = createMemoryClusterStore()
    await open(store, others).start()
    const cluster = open(store, own)

    await cluster.start()

    expect(await store.leases.alive()).toHaveLength(2)
  })

  test('starts with the new secret alone once the others have it from their function', async () => {
    const store = createMemoryClusterStore()
    let current: string | string[] = oldSecret
    await open(store, () => current, { leaseMs: 150 }).start()
    await expect(open(store, newSecret).start()).rejects.toThrow('unknown')

    current = [newSecret, oldSecret]

    await vi.waitFor(() => open(store, newSecret).start())
  })

  test('the store has neither the secret nor anything that opens what was sealed', async () => {
    const store = createMemoryClusterStore()
    const cluster = open(store, [oldSecret, newSecret])
    await cluster.start()

    const [self] = await store.leases.alive()

    expect(self?.info).toMatch(/^\S+ \d+ [\w-]{16},[\w-]{16}$/)
    expect(self?.info).not.toContain(oldSecret)
  })
})

describe('the life of a cluster', () => {
  test('starting twice is starting once, and so is closing', async () => {
    const store = createMemoryClusterStore()
    let renewals = 0
    const { renew } = store.leases
    store.leases.renew = (...args) => {
      renewals += 1
      return renew(...args)
    }
    const cluster = open(store, oldSecret)

    await Promise.all([cluster.start(), cluster.start()])
    await cluster.start()
    await Promise.all([cluster.close(), cluster.close()])

    expect(renewals).toBe(1)
    expect(await store.leases.alive()).toEqual([])
  })

  test.each([0, 99, -1, Number.NaN, Infinity])('a lease of %d ms is refused', (leaseMs) => {
    expect(() => createMemoryCluster({ leaseMs })).toThrow(
      `leaseMs ${leaseMs} is out of range: use 100 to 3600000 milliseconds`,
    )
  })
})
