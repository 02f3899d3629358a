import { deepEqual, equal } from 'node:assert/strict'

import type { ContractCase } from './store-contract.ts'
import { eventually, longMs, shortMs } from './waiting.ts'

const key = { group: 'alice', id: 'one' }

/** Texts with versions. */
export const recordCases: readonly ContractCase[] = [
  {
    name: 'a record that was never written is unknown',
    async check({ records }) {
      equal(await records.get(key), undefined)
    },
  },
  {
    name: 'a record written by one process is read by another, whatever it contains',
    async check({ records }, other) {
      const text = 'a "quote", a line\nbreak, ü, 🎈 and \u0000'
      equal(await records.put(key, text, 0, longMs), true)
      deepEqual(await other.records.get(key), { text, version: 1 })
    },
  },
  {
    name: 'a record is changed only by who has seen its last version',
    async check({ records }, other) {
      await records.put(key, 'first', 0, longMs)
      equal(await records.put(key, 'again', 0, longMs), false)
      equal(await other.records.put(key, 'second', 1, longMs), true)
      equal(await records.put(key, 'third', 1, longMs), false)
      equal(await records.put(key, 'of a version that is yet to come', 7, longMs), false)
      deepEqual(await records.get(key), { text: 'second', version: 2 })
    },
  },
  {
    name: 'a record that is alone in its group is written, changed, removed and forgotten like any other',
    async check({ records }, other) {
      const alone = { ...key, isAlone: true } as const
      equal(await records.put(alone, 'a line\nbreak', 0, longMs), true)
      equal(await other.records.put(alone, 'again', 0, longMs), false)
      equal(await other.records.put(alone, '2 seconds', 1, longMs), true)
      deepEqual(await records.get(alone), { text: '2 seconds', version: 2 })
      await records.remove(alone)
      equal(await other.records.get(alone), undefined)
      await records.put(alone, 'short', 0, shortMs)
      await eventually(
        async () => (await other.records.get(alone)) === undefined,
        'the record is gone',
      )
    },
  },
  {
    name: 'of many who change a record at once exactly one succeeds',
    async check(first, second) {
      await first.records.put(key, 'start', 0, longMs)
      const tries = Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? first : second).records.put(key, String(index), 1, longMs),
      )
      const wins = (await Promise.all(tries)).filter(Boolean)
      equal(wins.length, 1)
    },
  },
  {
    name: 'a removed record can be written anew, and removing twice does nothing',
    async check({ records }) {
      await records.put(key, 'first', 0, longMs)
      await records.remove(key)
      await records.remove(key)
      equal(await records.get(key), undefined)
      equal(await records.put(key, 'anew', 0, longMs), true)
    },
  },
  {
    name: 'a record is forgotten after its time, and a write prolongs it',
    async check({ records }, other) {
      await records.put(key, 'short', 0, shortMs)
      await eventually(
        async () => (await other.records.get(key)) === undefined,
        'the record is gone',
      )
      await eventually(async () => {
        await records.put(key, 'again', 0, shortMs)
        return records.put(key, 'longer', 1, longMs)
      }, 'it is written again before it is forgotten')
      await new Promise((resolve) => setTimeout(resolve, 2 * shortMs))
      equal((await records.get(key))?.text, 'longer')
    },
  },
  {
    name: 'a group is listed in the order its records were first written, in pages',
    async check({ records }, other) {
      for (const id of ['c', 'a', 'b']) await records.put({ group: 'g', id }, id, 0, longMs)
      await records.put({ group: 'other', id: 'x' }, 'x', 0, longMs)
      await records.put({ group: 'g', id: 'c' }, 'c2', 1, longMs)
      const page = await other.records.list('g', undefined, 2)
      deepEqual(page.texts, ['c2', 'a'])
      const rest = await other.records.list('g', page.cursor, 2)
      deepEqual(rest, { texts: ['b'] })
    },
  },
  {
    name: 'what is removed or forgotten is not listed',
    async check({ records }) {
      await records.put({ group: 'g', id: 'a' }, 'a', 0, longMs)
      await records.put({ group: 'g', id: 'b' }, 'b', 0, shortMs)
      await records.put({ group: 'g', id: 'c' }, 'c', 0, longMs)
      await records.remove({ group: 'g', id: 'a' })
      await eventually(
        async () => (await records.list('g', undefined, 10)).texts.join() === 'c',
        'only c is listed',
      )
      deepEqual(await records.list('nobody', undefined, 10), { texts: [] })
    },
  },
]
