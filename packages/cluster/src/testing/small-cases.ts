import { deepEqual, equal, ok } from 'node:assert/strict'

import type { ContractCase } from './store-contract.ts'
import { eventually, longMs, shortMs } from './waiting.ts'

/** Marks, leases and budgets. */
export const smallCases: readonly ContractCase[] = [
  {
    name: 'a mark can be set once, whoever tries and however many at once',
    async check(first, second) {
      const tries = Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? first : second).once.add('jti', longMs),
      )
      equal((await Promise.all(tries)).filter(Boolean).length, 1)
      equal(await first.once.add('another', longMs), true)
    },
  },
  {
    name: 'a mark can be set again after its time',
    async check({ once }) {
      await once.add('jti', shortMs)
      await eventually(() => once.add('jti', longMs), 'the mark is free')
      equal(await once.add('jti', longMs), false)
    },
  },
  {
    name: 'a process is alive until its lease ends or it lets go of it',
    async check({ leases }, other) {
      equal(await leases.isAlive('a'), false)
      await leases.renew('a', longMs, 'pid 1')
      await leases.renew('b', shortMs, 'pid 2')
      equal(await other.leases.isAlive('a'), true)
      await eventually(async () => !(await other.leases.isAlive('b')), 'the lease of b ends')
      deepEqual(await other.leases.alive(), [{ node: 'a', info: 'pid 1' }])
      equal(await other.leases.count(), 1)
      await leases.renew('a', longMs, 'pid 1, busy')
      deepEqual(await other.leases.alive(), [{ node: 'a', info: 'pid 1, busy' }])
      await leases.release('a')
      equal(await other.leases.isAlive('a'), false)
      deepEqual(await leases.alive(), [])
      equal(await leases.count(), 0)
    },
  },
  {
    name: 'all processes together take no more from a budget than it has',
    async check(first, second) {
      const tries = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? first : second).budgets.take('calls', 10, 75, 3_600_000),
      )
      const granted = await Promise.all(tries)
      equal(
        granted.reduce((sum, part) => sum + part, 0),
        75,
      )
      equal(await second.budgets.take('other', 10, 75, 3_600_000), 10)
    },
  },
  {
    name: 'a budget fills again, up to what it holds, and takes back what was not used',
    async check({ budgets }) {
      equal(await budgets.take('calls', 100, 100, 1_000), 100)
      await eventually(async () => (await budgets.take('calls', 1, 100, 1_000)) === 1, 'it fills')
      await budgets.take('back', 100, 100, 3_600_000)
      await budgets.take('back', -40, 100, 3_600_000)
      const granted = await budgets.take('back', 100, 100, 3_600_000)
      ok(granted >= 40 && granted <= 41, `granted ${granted}`)
    },
  },
]
