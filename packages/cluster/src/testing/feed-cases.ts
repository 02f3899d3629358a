import { deepEqual, equal } from 'node:assert/strict'

import { feedPageSize, maxFeedEntries } from '../store/cluster-store.ts'
import type { ContractCase } from './store-contract.ts'
import { eventually, longMs, shortMs } from './waiting.ts'

/** Cases for events in order. */
export const feedCases: readonly ContractCase[] = [
  {
    name: 'a feed begins now: without a cursor nothing is read',
    async check({ feeds }, other) {
      await feeds.append('news', 'before', longMs)
      const { texts, cursor, hasGap } = await other.feeds.readSince('news', undefined)
      deepEqual({ texts, hasGap }, { texts: [], hasGap: false })
      await feeds.append('news', 'one', longMs)
      await other.feeds.append('news', 'two', longMs)
      deepEqual((await feeds.readSince('news', cursor)).texts, ['one', 'two'])
    },
  },
  {
    name: 'a cursor before anything was written reads the first entry',
    async check({ feeds }, other) {
      const { cursor } = await other.feeds.readSince('empty', undefined)
      await feeds.append('empty', 'first', longMs)
      const page = await other.feeds.readSince('empty', cursor)
      deepEqual([page.texts, page.hasGap], [['first'], false])
    },
  },
  {
    name: 'a feed is read in pages, each entry once, and a cursor can be used again',
    async check({ feeds }, other) {
      let { cursor } = await feeds.readSince('many', undefined)
      const sent = Array.from({ length: feedPageSize + 3 }, (_, index) => `entry ${index}`)
      for (const text of sent) await other.feeds.append('many', text, longMs)
      const first = await feeds.readSince('many', cursor)
      deepEqual(await feeds.readSince('many', cursor), first)
      equal(first.texts.length, feedPageSize)
      cursor = first.cursor
      const second = await feeds.readSince('many', cursor)
      deepEqual([...first.texts, ...second.texts], sent)
      deepEqual((await feeds.readSince('many', second.cursor)).texts, [])
    },
  },
  {
    name: 'who reads while others write gets each entry once',
    async check(first, second) {
      let { cursor } = await first.feeds.readSince('busy', undefined)
      const sent = Array.from({ length: 300 }, (_, index) => `entry ${index}`)
      const writing = Promise.all(
        sent.map((text, index) =>
          (index % 2 === 0 ? first : second).feeds.append('busy', text, longMs),
        ),
      )
      const seen: string[] = []
      await eventually(async () => {
        const page = await first.feeds.readSince('busy', cursor)
        equal(page.hasGap, false)
        cursor = page.cursor
        seen.push(...page.texts)
        return seen.length >= sent.length
      }, 'all entries are read')
      await writing
      deepEqual(seen.toSorted(), sent.toSorted())
    },
  },
  {
    name: 'who comes too late is told that entries are missing',
    async check({ feeds }) {
      const { cursor } = await feeds.readSince('full', undefined)
      for (let sent = 0; sent < maxFeedEntries + 200; sent += 100) {
        await Promise.all(Array.from({ length: 100 }, () => feeds.append('full', 'x', longMs)))
      }
      equal((await feeds.readSince('full', cursor)).hasGap, true)
    },
  },
  {
    name: 'a cursor of another store, or of nowhere, is a gap and goes on from what is there',
    async check({ feeds }) {
      await feeds.append('news', 'kept', longMs)
      const page = await feeds.readSince('news', 'gone.7')
      deepEqual([page.texts, page.hasGap], [['kept'], true])
      deepEqual((await feeds.readSince('news', page.cursor)).hasGap, false)
    },
  },
  {
    name: 'entries are kept for their time at least',
    async check({ feeds }) {
      const { cursor } = await feeds.readSince('mixed', undefined)
      await feeds.append('mixed', 'long', longMs)
      await feeds.append('mixed', 'short', shortMs)
      await new Promise((resolve) => setTimeout(resolve, 2 * shortMs))
      await feeds.append('mixed', 'last', longMs)
      const { texts } = await feeds.readSince('mixed', cursor)
      equal(texts[0], 'long')
      equal(texts.at(-1), 'last')
    },
  },
]
