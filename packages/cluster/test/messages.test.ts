import { createMemoryClusterStore, maxFeedEntries } from '@parley/cluster'
import { beforeAll, describe, expect, test } from 'vitest'

import { createStoredMessages } from '../src/cluster/stored-messages.ts'
import { describeMessages } from './stored-message-cases.ts'
import { stores } from './stores.ts'
import { until } from './until.ts'

for (const { name, isInstalled, address, create } of stores) {
  describe.skipIf(!isInstalled)(`messages between processes with a store: ${name}`, () => {
    let place: string
    beforeAll(async () => void (place = await address()))

    describeMessages(() => create(place))
  })
}

describe('messages between processes', () => {
  test('more than the store keeps are a gap, and the newest are heard in order', async () => {
    const store = createMemoryClusterStore()
    const { readSince } = store.feeds
    let isCutOff = false
    store.feeds.readSince = (feed, cursor) =>
      isCutOff ? Promise.reject(new Error('cut off')) : readSince(feed, cursor)
    const heard: unknown[] = []
    let gaps = 0
    const heartbeatMs = 600_000 // so that one hint is enough to read all there is
    const options = { store, node: 'a', heartbeatMs, keepMs: 60_000, onError: () => undefined }
    const messages = createStoredMessages(options)
    messages.listen({ hear: ({ n }) => heard.push(n), onGap: () => (gaps += 1) })
    await messages.start()

    isCutOff = true
    for (let n = 1; n < maxFeedEntries + 7; n += 1) await messages.tell({ n })
    isCutOff = false
    await messages.tell({ n: maxFeedEntries + 7 })
    await until(() => heard.length >= maxFeedEntries)
    messages.stop()

    expect(gaps).toBe(1)
    expect(heard).toEqual(Array.from({ length: maxFeedEntries }, (_, index) => index + 8))
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
    const heard: unknown[] = []
    const options = { store, node: 'a', heartbeatMs: 50, keepMs: 60_000, onError: () => undefined }
    const messages = createStoredMessages(options)
    messages.listen({ hear: ({ n }) => heard.push(n), onGap: () => undefined })

    const started = messages.start()
    await asked
    await messages.tell({ n: 1 }) // with a hint, before there is a cursor
    answer()
    await started
    await messages.tell({ n: 2 })
    await until(() => heard.length >= 2)
    messages.stop()

    expect(heard).toEqual([1, 2])
  })
})
