import { setTimeout as sleep } from 'node:timers/promises'

import { type ClusterStore, StoreUnavailable } from '@parley/cluster'
import { withUnreliableBus } from '@parley/cluster/testing'
import type { JsonObject } from '@parley/mcp'
import { expect, onTestFinished, test } from 'vitest'

import { createStoredMessages } from '../src/cluster/stored-messages.ts'
import { startPatiently, until } from './until.ts'

/** Messages of one process, and what it has heard. */
async function open(store: ClusterStore, node: string, keepMs = 60_000) {
  await startPatiently(store)
  const received: JsonObject[] = []
  const errors: unknown[] = []
  const state = { gaps: 0, isCutOff: false }
  const feeds: ClusterStore['feeds'] = {
    append: store.feeds.append,
    async readSince(feed, cursor) {
      if (state.isCutOff) throw new StoreUnavailable('cut off')
      return store.feeds.readSince(feed, cursor)
    },
  }
  const messages = createStoredMessages({
    store: { feeds, bus: store.bus },
    node,
    heartbeatMs: 50,
    keepMs,
    onError: (error) => errors.push(error),
  })
  messages.listen({ receive: (message) => received.push(message), onGap: () => (state.gaps += 1) })
  await messages.start()
  onTestFinished(async () => {
    messages.stop()
    await store.close()
  })
  return { messages, heard: received, errors, state }
}

const numbers = (count: number): readonly { n: number }[] =>
  Array.from({ length: count }, (_, n) => ({ n }))

/** What processes tell each other, whatever store is between them. */
export function describeMessages(newStore: () => () => ClusterStore): void {
  test('everybody hears each message once and in order, the sender too', async () => {
    const makeStore = newStore()
    const [a, b] = [await open(makeStore(), 'a'), await open(makeStore(), 'b')]

    for (const message of numbers(700)) await a.messages.notify(message)
    await until(() => a.heard.length >= 700 && b.heard.length >= 700)

    expect(a.heard).toEqual(numbers(700))
    expect(b.heard).toEqual(numbers(700))
  })

  test.each([
    ['lost', { lost: 1 }],
    ['repeated and late', { lost: 0, repeated: 1, delayed: 0.5 }],
    ['lost, repeated and late', {}],
  ])('hints that are %s change nothing but the time it takes', async (_, faults) => {
    const makeStore = newStore()
    const a = await open(makeStore(), 'a')
    const b = await open(withUnreliableBus(makeStore(), { seed: 5, ...faults }), 'b')

    for (const message of numbers(100)) await a.messages.notify(message)
    await until(() => b.heard.length >= 100)
    await a.messages.notify({ n: 100 })
    await until(() => b.heard.length >= 101)

    expect(b.heard).toEqual(numbers(101))
  })

  test('a message to one process is heard there and nowhere else', async () => {
    const makeStore = newStore()
    const [a, b] = [await open(makeStore(), 'a'), await open(makeStore(), 'b')]

    await a.messages.send('b', { for: 'b' })
    await a.messages.send('nobody', { for: 'nobody' })
    await b.messages.send('a', { for: 'a' })
    await until(() => a.heard.length >= 1 && b.heard.length >= 1)
    await a.messages.notify({ for: 'all' })
    await until(() => a.heard.length >= 2 && b.heard.length >= 2)

    expect(a.heard).toEqual([{ for: 'a' }, { for: 'all' }])
    expect(b.heard).toEqual([{ for: 'b' }, { for: 'all' }])
  })

  test('a process that was cut off for a while hears what it missed', async () => {
    const makeStore = newStore()
    const [a, b] = [await open(makeStore(), 'a'), await open(makeStore(), 'b')]

    b.state.isCutOff = true
    for (const message of numbers(5)) await a.messages.notify(message)
    await until(() => b.errors.length > 0)
    b.state.isCutOff = false
    await until(() => b.heard.length >= 5)

    expect(b.heard).toEqual(numbers(5))
    expect(b.state.gaps).toBe(0)
  })

  test('one that was cut off for longer hears that it missed something', async () => {
    const makeStore = newStore()
    const [a, b] = [await open(makeStore(), 'a', 20), await open(makeStore(), 'b')]

    b.state.isCutOff = true
    await a.messages.notify({ n: 'forgotten' })
    await sleep(40) // twice as long as it is kept
    await a.messages.notify({ n: 'new' })
    b.state.isCutOff = false
    await until(() => b.state.gaps > 0)

    expect(b.heard).not.toContainEqual({ n: 'forgotten' })
    expect(b.state.gaps).toBe(1)
  })

  test('a listener that throws, or an entry that is no message, keeps nobody from hearing', async () => {
    const makeStore = newStore()
    const store = makeStore()
    const a = await open(store, 'a')
    const throwing = {
      receive: () => {
        throw new Error('cannot hear')
      },
      onGap: () => undefined,
    }
    using _ = a.messages.listen(throwing)
    const late: JsonObject[] = []
    a.messages.listen({ receive: (message) => late.push(message), onGap: () => undefined })

    await store.feeds.append('messages', 'no message', 60_000)
    await a.messages.notify({ n: 1 })
    await until(() => late.length > 0)

    expect(a.heard).toEqual([{ n: 1 }])
    expect(late).toEqual([{ n: 1 }])
    expect(a.errors).toHaveLength(2)
  })

  test('who has let go, or has stopped, hears nothing more', async () => {
    const makeStore = newStore()
    const [a, b] = [await open(makeStore(), 'a'), await open(makeStore(), 'b')]
    const received: JsonObject[] = []
    const listening = b.messages.listen({
      receive: (message) => received.push(message),
      onGap: () => undefined,
    })

    listening[Symbol.dispose]()
    a.messages.stop()
    await b.messages.notify({ n: 1 })
    await until(() => b.heard.length > 0)
    await b.messages.notify({ n: 2 })
    await until(() => b.heard.length > 1) // whatever else would hear the first one has heard it

    expect(received).toEqual([])
    expect(a.heard).toEqual([])
  })
}
