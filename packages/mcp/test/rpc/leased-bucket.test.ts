import { expect, test } from 'vitest'

import { createLeasedBucket } from '../../src/rpc/rate.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const rate = { burst: 20, perSecond: 10 }

/** Buckets of several processes on one amount that is never refilled. */
function openBuckets(count: number, amount: number) {
  const clock = createVirtualClock()
  const errors: unknown[] = []
  let left = amount
  let asked = 0
  let isAway = false
  const ask = async (wanted: number): Promise<number> => {
    asked += 1
    if (isAway) throw new Error('the store is away')
    const granted = Math.min(wanted, left)
    left -= granted
    return granted
  }
  const onError = (error: unknown): void => void errors.push(error)
  const buckets = Array.from({ length: count }, () =>
    createLeasedBucket(clock, { ...rate, ask, onError }),
  )
  const takeFrom = async (index: number, times: number): Promise<number> => {
    let taken = 0
    for (let time = 0; time < times; time += 1) if (await buckets[index]?.take()) taken += 1
    return taken
  }
  return {
    clock,
    errors,
    takeFrom,
    waitMsOf: (index: number) => buckets[index]?.waitMs,
    asked: () => asked,
    setAway: (away: boolean) => void (isAway = away),
  }
}

test('processes together let no more pass than there is', async () => {
  const { takeFrom } = openBuckets(2, 20)

  const passed = [await takeFrom(0, 15), await takeFrom(1, 15)]

  expect(passed).toEqual([15, 4]) // one token of the first one's last portion is left
})

test('a portion is asked for once, and who is refused asks nobody for a while', async () => {
  const { takeFrom, asked, waitMsOf, clock } = openBuckets(1, 20)

  expect(await takeFrom(0, 20)).toBe(20)
  expect(asked()).toBe(10)
  expect(await takeFrom(0, 50)).toBe(0)
  expect(asked()).toBe(11)
  expect(waitMsOf(0)).toBe(100)

  await clock.advance(100)
  expect(await takeFrom(0, 1)).toBe(0)
  expect(asked()).toBe(12)
})

test('calls at the same time ask once', async () => {
  const { takeFrom, asked } = openBuckets(1, 20)

  const passed = await Promise.all([takeFrom(0, 1), takeFrom(0, 1), takeFrom(0, 1)])

  expect(asked()).toBe(1)
  expect(passed.toSorted((a, b) => a - b)).toEqual([0, 1, 1])
})

test('a process counts alone while the others cannot be asked', async () => {
  const { takeFrom, errors, setAway, asked, clock } = openBuckets(1, 5)
  setAway(true)

  expect(await takeFrom(0, 50)).toBe(20)
  expect(errors).toHaveLength(1)

  setAway(false)
  await clock.advance(1_001)
  expect(await takeFrom(0, 10)).toBe(5)
  expect(asked()).toBe(5)
})

test('what was not used for long is given up', async () => {
  const { takeFrom, clock } = openBuckets(1, 4)

  expect(await takeFrom(0, 1)).toBe(1)
  await clock.advance(2_001)

  expect(await takeFrom(0, 5)).toBe(2)
})
