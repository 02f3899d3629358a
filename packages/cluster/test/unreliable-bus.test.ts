import { setTimeout as sleep } from 'node:timers/promises'

import { createMemoryClusterStore } from '@parley/cluster'
import {
  storeContract,
  type UnreliableBusOptions,
  withUnreliableBus,
} from '@parley/cluster/testing'
import { describe, expect, test } from 'vitest'

describe('a store with an unreliable bus', () => {
  const cases = storeContract(async () => {
    const store = createMemoryClusterStore()
    return { first: store, second: withUnreliableBus(store, { seed: 1 }) }
  })
  for (const { name, run } of cases) test(name, run)
})

describe('an unreliable bus', () => {
  const sent = Array.from({ length: 200 }, (_, index) => index)

  /** What is heard of the numbers, in the order it is heard. */
  async function onText(options: UnreliableBusOptions): Promise<readonly number[]> {
    const { bus } = withUnreliableBus(createMemoryClusterStore(), options)
    const received: number[] = []
    using _ = bus.subscribe('news', (text) => received.push(Number(text)))
    for (const number of sent) bus.publish('news', String(number))
    await sleep((options.maxDelayMs ?? 50) + 100)
    return received
  }

  test('loses, repeats and reorders hints', async () => {
    const received = await onText({ seed: 7 })

    const different = new Set(received)
    expect(different.size).toBeLessThan(sent.length)
    expect(different.size).toBeGreaterThan(sent.length / 2)
    expect(received.length).toBeGreaterThan(different.size)
    expect(received).not.toEqual(received.toSorted((a, b) => a - b))
  })

  test('does the same for the same seed, and something else for another', async () => {
    const inOrder = async (seed: number): Promise<readonly number[]> =>
      (await onText({ seed })).toSorted((a, b) => a - b)
    const [first, again, other] = await Promise.all([inOrder(7), inOrder(7), inOrder(8)])

    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  test('can be told to lose everything, or nothing', async () => {
    expect(await onText({ seed: 7, lost: 1 })).toEqual([])
    expect(await onText({ seed: 7, lost: 0, repeated: 0, delayed: 0 })).toEqual(sent)
  })

  test('is silent for who has let go, even of hints that are late', async () => {
    const options = { seed: 7, lost: 0, delayed: 1, maxDelayMs: 20 }
    const { bus } = withUnreliableBus(createMemoryClusterStore(), options)
    const received: string[] = []
    const subscription = bus.subscribe('news', (text) => received.push(text))
    bus.publish('news', 'late')
    await Promise.resolve()

    subscription[Symbol.dispose]()
    await sleep(50)

    expect(received).toEqual([])
  })
})
