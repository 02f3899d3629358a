import { createMemoryClusterStore, maxFeedEntries } from '@parley/cluster'
import { beforeAll, describe, expect, test } from 'vitest'

import { createStoredMessages } from '../src/cluster/stored-messages.ts'
import { describeMessages } from './stored-message-cases.ts'
import { stores } from './stores.ts'
import { until } from './until.ts'

for (const { name, isInstalled, address, create } of stores) {
  describe.skipIf(!isInstalled)(`messages between processes with a store: ${name}`, () => {
    let position: string
    beforeAll(async () => void (position = await address()))

    describeMessages(() => create(position))
  })
}

describe('messages between processes', () => {
  test('more than the store keeps are a gap, and the newest are heard in order', async () => {
    const store = createMemoryClusterStore()
    const { readSince } = store.feeds
    let isCutOff = false
    store.feeds.readSince = (feed, cursor) =>
      isCutOff ? Promise.reject(new Error('cut off')) : readSince(feed, cursor)
    const received: unknown[] = []
    let gaps = 0
    const heartbeatMs = 600_000 // so that one hint is enough to read all there is
    const options = { store, node: 'a', heartbeatMs, keepMs: 60_000, onError: () => undefined }
    const messages = createStoredMessages(options)
    messages.listen({ receive: ({ n }) => received.push(n), onGap: () => (gaps += 1) })
    await messages.start()

    isCutOff = true
    for (let n = 1; n < maxFeedEntries + 7; n += 1) await messages.notify({ n })
    isCutOff = false
    await messages.notify({ n: maxFeedEntries + 7 })
    await until(() => received.length >= maxFeedEntries)
    messages.stop()

    expect(gaps).toBe(1)
    expect(received).toEqual(Array.from({ length: maxFeedEntries }, (_, index) => index + 8))
  })

  test('one that begins while others talk misses nothing that is said afterwards', async () => {
    const store = createMemoryClusterStore()
    const { readSince } = store.feeds
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      store.feeds.readSince = async (feed, cursor) => {
        const page = await readSince(feed, cursor)
        if (cursor !== undefined || feed !== 'messages') return page
        resolve()
        await new Promise<void>((settle) => (answer = settle))
        return page
      }
    })
    const received: unknown[] = []
    const options = { store, node: 'a', heartbeatMs: 50, keepMs: 60_000, onError: () => undefined }
    const messages = createStoredMessages(options)
    messages.listen({ receive: ({ n }) => received.push(n), onGap: () => undefined })

    const started = messages.start()
    await asked
    await messages.notify({ n: 1 }) // with a hint, before there is a cursor
    answer()
    await started
    await messages.notify({ n: 2 })
    await until(() => received.length >= 2)
    messages.stop()

    expect(received).toEqual([1, 2])
  })
})
