import { createMemoryClusterStore, type ClusterLeases, StoreUnavailable } from '@parley/cluster'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { createMembership, type Membership } from '../src/cluster/membership.ts'

const leaseMs = 9_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Leases on the virtual clock, which can be told to fail. */
function createLeases() {
  const { leases } = createMemoryClusterStore(() => Date.now())
  const state = { isDown: false, renewals: 0, releases: 0, infos: [] as string[] }
  const reach = (): void => {
    if (state.isDown) throw new StoreUnavailable('the store is away')
  }
  const watched: ClusterLeases = {
    async renew(node, ms, info) {
      reach()
      state.renewals += 1
      state.infos.push(info)
      await leases.renew(node, ms, info)
    },
    async isAlive(node) {
      reach()
      return leases.isAlive(node)
    },
    async release(node) {
      reach()
      state.releases += 1
      await leases.release(node)
    },
    async alive() {
      reach()
      return leases.alive()
    },
    async count() {
      reach()
      return leases.count()
    },
  }
  return { leases: watched, state }
}

function open(leases: ClusterLeases, node = 'me') {
  const errors: unknown[] = []
  let count = 0
  const membership = createMembership({
    leases,
    node,
    leaseMs,
    info: () => `renewal ${++count}`,
    now: () => Date.now(),
    onError: (error) => errors.push(error),
  })
  onTestFinished(() => membership.stop())
  return { membership, errors }
}

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

describe('the lease of a process', () => {
  test('is renewed for as long as the process runs, with what it says of itself then', async () => {
    const { leases, state } = createLeases()
    const { membership } = open(leases)

    await membership.start()
    await pass(10 * leaseMs)

    expect(await leases.isAlive('me')).toBe(true)
    expect(state.renewals).toBe(31)
    expect(state.infos.slice(0, 2)).toEqual(['renewal 1', 'renewal 2'])
    expect(membership.health()).toEqual({ isReady: true })
  })

  test('makes the process unready after two thirds of its length without renewal, and ready after the next', async () => {
    const { leases, state } = createLeases()
    const { membership, errors } = open(leases)
    expect(membership.health()).toEqual({ isReady: false, why: 'the cluster is not started' })
    await membership.start()

    state.isDown = true
    await pass(6_000 - 1)
    expect(membership.health().isReady).toBe(true)
    await pass(1)
    expect(membership.health()).toEqual({
      isReady: false,
      why: "the cluster's store has not answered for 6.0 s: the store is away",
    })
    expect(errors.length).toBeGreaterThan(1)

    state.isDown = false
    await pass(leaseMs / 12)
    expect(membership.health()).toEqual({ isReady: true })
  })

  test('is tried again sooner after a failure, so that one lost command is not half a lease', async () => {
    const { leases, state } = createLeases()
    const { membership } = open(leases)
    await membership.start()

    state.isDown = true
    await pass(leaseMs / 3)
    state.isDown = false
    await pass(leaseMs / 12)

    expect(state.renewals).toBe(2)
  })

  test('is released at the end, after a renewal that is under way', async () => {
    const { leases, state } = createLeases()
    let release = (): void => undefined
    const slow: ClusterLeases = {
      ...leases,
      async renew(...args) {
        if (state.renewals > 0) await new Promise<void>((resolve) => (release = resolve))
        await leases.renew(...args)
      },
    }
    const { membership } = open(slow)
    await membership.start()
    await pass(leaseMs / 3)

    const stopped = membership.stop()
    release()
    await stopped
    await pass(1)

    expect(await leases.isAlive('me')).toBe(false)
    expect(state.renewals).toBe(2)
    expect(membership.health()).toEqual({ isReady: false, why: 'the cluster is closed' })
  })

  test('that cannot be released keeps nobody from ending', async () => {
    const { leases, state } = createLeases()
    const { membership, errors } = open(leases)
    await membership.start()

    state.isDown = true
    await membership.stop()

    expect(errors).toEqual([])
  })

  test('is given back if the process is not admitted', async () => {
    const { leases } = createLeases()
    const membership = createMembership({
      leases,
      node: 'me',
      leaseMs,
      info: () => '',
      now: () => Date.now(),
      admit() {
        throw new Error('not you')
      },
      onError: () => undefined,
    })

    await expect(membership.start()).rejects.toThrow('not you')

    expect(await leases.alive()).toEqual([])
    expect(membership.health().isReady).toBe(false)
  })
})

describe('who is lost', () => {
  async function lostSince(membership: Membership, node = 'other'): Promise<number> {
    const since = Date.now()
    while (!(await membership.isDisconnected(node))) await pass(100)
    return Date.now() - since
  }

  test('nobody judges others before having held its own lease for its whole length', async () => {
    const { membership } = open(createLeases().leases)
    await membership.start()

    expect(await lostSince(membership)).toBe(leaseMs)
  })

  test('one that is alive is not, and one that has ended by itself is at once', async () => {
    const { leases } = createLeases()
    const { membership } = open(leases)
    const other = open(leases, 'other').membership
    await membership.start()
    await other.start()
    await pass(2 * leaseMs)
    expect(await membership.isDisconnected('other')).toBe(false)
    expect(await membership.isDisconnected('me')).toBe(false)

    await other.stop()

    expect(await membership.isDisconnected('other')).toBe(true)
  })

  test('a gap in the own renewals starts that time again', async () => {
    const { leases, state } = createLeases()
    const { membership } = open(leases)
    await membership.start()
    await pass(3 * leaseMs)

    state.isDown = true
    await pass(2 * leaseMs)
    state.isDown = false
    expect(await membership.isDisconnected('other')).toBe(false) // our own lease has run out as well
    await pass(leaseMs / 12)

    expect(membership.health().isReady).toBe(true)
    expect(await lostSince(membership)).toBeGreaterThanOrEqual(leaseMs - leaseMs / 12)
  })

  test('so does a store that has forgotten all leases in between', async () => {
    const { leases } = createLeases()
    const { membership } = open(leases)
    await membership.start()
    await pass(3 * leaseMs)

    await leases.release('me')
    await pass(leaseMs / 3)

    expect(await membership.isDisconnected('other')).toBe(false)
    expect(await lostSince(membership)).toBeGreaterThanOrEqual(leaseMs - leaseMs / 3)
  })
})
