/**
 * The contract of `ClusterStreams`, as cases that every engine passes: appending with sequence numbers, reading from any event,
 * limits, expiry. `storeContract()` runs them.
 */

import { deepEqual, equal } from 'node:assert/strict'

import type { StreamBatch, StreamLimits, StreamPage } from '../store/streams.ts'
import type { ContractCase } from './store-contract.ts'
import { eventually, longMs, shortMs } from './waiting.ts'

const key = { session: 's', stream: '1' }
const limits: StreamLimits = { events: 1_000, bytes: 1_000_000, endedMs: longMs, openMs: longMs }
const most = { events: 100, bytes: 1_000_000 }

function batch(firstSequence: number, texts: readonly string[], isLast = false): StreamBatch {
  return { writer: 'a', firstSequence, texts, isLast }
}

function page(texts: readonly string[], isLast: boolean, writer = 'a'): StreamPage {
  return { texts, isLast, writer, about: '' }
}

/** Logs of streams. */
export const streamCases: readonly ContractCase[] = [
  {
    name: 'events written by one process are read by another, in order and from any place',
    async check({ streams }, other) {
      equal(await streams.append(key, batch(1, ['one', 'two "ü" \n']), limits), true)
      equal(await streams.append(key, batch(3, ['three'], true), limits), true)
      deepEqual(await other.streams.read(key, 0, most), page(['one', 'two "ü" \n', 'three'], true))
      deepEqual(await other.streams.read(key, 2, most), page(['three'], true))
      deepEqual(await other.streams.read(key, 3, most), page([], true))
    },
  },
  {
    name: 'a stream can be made known before its first event',
    async check({ streams }, other) {
      equal(await streams.append(key, batch(1, []), limits), true)
      deepEqual(await other.streams.read(key, 0, most), page([], false))
    },
  },
  {
    name: 'an unknown stream, a foreign session and a place in the future are undefined',
    async check({ streams }) {
      await streams.append(key, batch(1, ['one']), limits)
      equal(await streams.read({ session: 's', stream: '2' }, 0, most), undefined)
      equal(await streams.read({ session: 't', stream: '1' }, 0, most), undefined)
      equal(await streams.read(key, 2, most), undefined)
    },
  },
  {
    name: 'a batch sent again adds nothing, in whole or in part',
    async check({ streams }) {
      await streams.append(key, batch(1, ['one', 'two']), limits)
      equal(await streams.append(key, batch(1, ['one', 'two']), limits), true)
      equal(await streams.append(key, batch(2, ['two', 'three'], true), limits), true)
      equal(await streams.append(key, batch(2, ['two', 'three'], true), limits), true)
      deepEqual(await streams.read(key, 0, most), page(['one', 'two', 'three'], true))
    },
  },
  {
    name: 'a batch sent many times at once is written once',
    async check(first, second) {
      for (const sent of [batch(1, ['one', 'two']), batch(3, ['three'])]) {
        const tries = Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? first : second).streams.append(key, sent, limits),
        )
        equal((await Promise.all(tries)).every(Boolean), true)
      }
      deepEqual(await first.streams.read(key, 0, most), page(['one', 'two', 'three'], false))
    },
  },
  {
    name: 'of many who open a stream at once one becomes its writer',
    async check(first, second) {
      const tries = Array.from({ length: 20 }, (_, index) => {
        const own = { ...batch(1, ['mine']), writer: `writer ${index}` }
        return (index % 2 === 0 ? first : second).streams.append(key, own, limits)
      })
      equal((await Promise.all(tries)).filter(Boolean).length, 1)
      deepEqual((await second.streams.read(key, 0, most))?.texts, ['mine'])
    },
  },
  {
    name: 'a stream without limits is read as a whole',
    async check({ streams }) {
      const none = { ...limits, events: Infinity, bytes: Infinity }
      const texts = Array.from({ length: 100 }, (_, index) => String(index))
      await streams.append(key, batch(1, texts, true), none)
      deepEqual(await streams.read(key, 0, none), page(texts, true))
    },
  },
  {
    name: 'nothing follows the end, and no gap is accepted',
    async check({ streams }) {
      await streams.append(key, batch(1, ['one']), limits)
      equal(await streams.append(key, batch(3, ['three']), limits), false)
      await streams.append(key, batch(2, ['two'], true), limits)
      equal(await streams.append(key, batch(3, ['three']), limits), false)
      equal(await streams.append({ session: 's', stream: 'x' }, batch(2, ['two']), limits), false)
    },
  },
  {
    name: 'another process cannot write to a stream',
    async check({ streams }, other) {
      await streams.append(key, batch(1, ['one']), limits)
      const foreign = { ...batch(2, ['two']), writer: 'b' }
      equal(await other.streams.append(key, foreign, limits), false)
    },
  },
  {
    name: 'a stream is taken over once, ends with that, and fences its writer',
    async check(first, second) {
      await first.streams.append(key, batch(1, ['one']), limits)
      equal(await second.streams.takeOver(key, { writer: 'z', last: 1 }, ['lost'], limits), false)
      const tries = await Promise.all(
        [first, second, first, second].map(({ streams }) =>
          streams.takeOver(key, { writer: 'a', last: 1 }, ['lost'], limits),
        ),
      )
      equal(tries.filter(Boolean).length, 1)
      equal(await first.streams.append(key, batch(2, ['two']), limits), false)
      const read = await second.streams.read(key, 0, most)
      deepEqual([read?.texts, read?.isLast], [['one', 'lost'], true])
    },
  },
  {
    name: 'a stream that has ended cannot be taken over',
    async check({ streams }, other) {
      await streams.append(key, batch(1, ['result'], true), limits)
      equal(await other.streams.takeOver(key, { writer: 'a', last: 1 }, ['lost'], limits), false)
      equal(await other.streams.takeOver(key, { writer: 'a' }, ['lost'], limits), false)
      equal(await other.streams.takeOver(key, { writer: '' }, ['lost'], limits), false)
    },
  },
  {
    name: 'a stream that has gone on is not taken over, unless that does not matter',
    async check({ streams }, other) {
      await streams.append(key, batch(1, ['one', 'two']), limits)
      equal(await other.streams.takeOver(key, { writer: 'a', last: 1 }, ['lost'], limits), false)
      equal(await other.streams.takeOver(key, { writer: 'a', last: 3 }, ['lost'], limits), false)
      deepEqual(await streams.read(key, 0, most), page(['one', 'two'], false))
      equal(await streams.append(key, batch(3, ['three']), limits), true)
      equal(await other.streams.takeOver(key, { writer: 'a' }, ['lost'], limits), true)
      const read = await streams.read(key, 2, most)
      deepEqual([read?.texts, read?.isLast], [['three', 'lost'], true])
    },
  },
  {
    name: 'a stream is taken over with several events, or with none',
    async check({ streams }, other) {
      const empty = { session: 's', stream: 'empty' }
      await streams.append(key, batch(1, ['one']), limits)
      await streams.append(empty, batch(1, []), limits)
      const both = { writer: 'a', last: 1 }
      equal(await other.streams.takeOver(key, both, ['lost 1', 'lost 2'], limits), true)
      equal(await other.streams.takeOver(empty, { writer: 'a', last: 0 }, [], limits), true)
      const read = [await streams.read(key, 0, most), await streams.read(empty, 0, most)]
      deepEqual(
        read.map((one) => [one?.texts, one?.isLast]),
        [
          [['one', 'lost 1', 'lost 2'], true],
          [[], true],
        ],
      )
      equal(await streams.append(empty, batch(1, ['late']), limits), false)
    },
  },
  {
    name: 'of a writer that goes on and a process that takes over at once one wins',
    async check(first, second) {
      for (let round = 0; round < 10; round += 1) {
        const own = { session: 's', stream: `race ${round}` }
        await first.streams.append(own, batch(1, ['one']), limits)
        const [isStored, isUsed] = await Promise.all([
          first.streams.append(own, batch(2, ['two']), limits),
          second.streams.takeOver(own, { writer: 'a', last: 1 }, ['lost'], limits),
        ])
        equal(isStored !== isUsed, true)
        const read = await first.streams.read(own, 0, most)
        deepEqual([read?.texts, read?.isLast], [['one', isUsed ? 'lost' : 'two'], isUsed])
      }
    },
  },
  {
    name: 'what the writer says about a stream is read with it, until it says something else',
    async check({ streams }, other) {
      const about = 'request 1 "ü"'
      await streams.append(key, { ...batch(1, []), about }, limits)
      deepEqual(await other.streams.read(key, 0, most), { ...page([], false), about })
      await streams.append(key, batch(1, ['one']), limits)
      deepEqual(await other.streams.read(key, 0, most), { ...page(['one'], false), about })
      await streams.append(key, { ...batch(2, ['two']), about: '' }, limits)
      deepEqual(await other.streams.read(key, 1, most), page(['two'], false))
    },
  },
  {
    name: 'a page has no more events and bytes than asked for, but at least one event',
    async check({ streams }) {
      await streams.append(key, batch(1, ['aaaa', 'bbbb', 'cccc', 'dddd'], true), limits)
      const two = await streams.read(key, 0, { events: 2, bytes: 1_000 })
      deepEqual(two, page(['aaaa', 'bbbb'], false))
      const bytes = await streams.read(key, 2, { events: 9, bytes: 4 })
      deepEqual(bytes, page(['cccc'], false))
      deepEqual(await streams.read(key, 3, { events: 9, bytes: 1 }), page(['dddd'], true))
    },
  },
  {
    name: 'the oldest events go when a stream has too many, or too many bytes',
    async check({ streams }) {
      const few = { ...limits, events: 3 }
      await streams.append(key, batch(1, ['1', '2', '3', '4', '5']), few)
      equal(await streams.read(key, 0, most), undefined)
      deepEqual(await streams.read(key, 2, most), page(['3', '4', '5'], false))
      const small = { session: 's', stream: 'small' }
      await streams.append(small, batch(1, ['aaaa', 'bbbb', 'cccc']), { ...limits, bytes: 8 })
      equal(await streams.read(small, 0, most), undefined)
      deepEqual(await streams.read(small, 1, most), page(['bbbb', 'cccc'], false))
      equal(await streams.append(small, batch(4, ['dddd'], true), { ...limits, bytes: 8 }), true)
      deepEqual(await streams.read(small, 2, most), page(['cccc', 'dddd'], true))
    },
  },
  {
    name: 'a stream is forgotten some time after its end, and later while it is open',
    async check({ streams }) {
      const short = { ...limits, endedMs: shortMs }
      await streams.append(key, batch(1, ['one'], true), short)
      const open = { session: 's', stream: 'open' }
      await streams.append(open, batch(1, ['one']), short)
      await eventually(async () => (await streams.read(key, 0, most)) === undefined, 'it is gone')
      deepEqual(await streams.read(open, 0, most), page(['one'], false))
    },
  },
  {
    name: 'it is known how long ago a stream was read, and how far, wherever that was',
    async check({ streams }, other) {
      await streams.append(key, batch(1, ['one', 'two']), limits)
      equal(await streams.lastRead(key), undefined)
      await other.streams.read(key, 0, most)
      await other.streams.read(key, 1, most)
      const last = await streams.lastRead(key)
      equal(last !== undefined && last.agoMs >= 0 && last.agoMs < 20_000, true)
      equal(last?.after, 1)
    },
  },
  {
    name: 'a dropped session has no streams, and its writers are fenced',
    async check({ streams }, other) {
      await streams.append(key, batch(1, ['one']), limits)
      await streams.append({ session: 't', stream: '1' }, batch(1, ['kept']), limits)
      await other.streams.dropSession('s')
      equal(await streams.read(key, 0, most), undefined)
      equal(await streams.append(key, batch(2, ['two']), limits), false)
      equal((await streams.read({ session: 't', stream: '1' }, 0, most))?.texts[0], 'kept')
    },
  },
]
