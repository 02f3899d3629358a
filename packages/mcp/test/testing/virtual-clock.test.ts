import { createVirtualClock } from '@parley/mcp/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

test('stands still until told to move', async () => {
  const clock = createVirtualClock(500)
  let fired = 0
  clock.setTimer(() => (fired += 1), 0)

  expect([clock.now(), fired, clock.pending]).toEqual([500, 0, 1])
  await clock.advance(0)
  expect([clock.now(), fired, clock.pending]).toEqual([500, 1, 0])
  await clock.advance(25)
  expect(clock.now()).toBe(525)
})

test('fires what is due in order of time, then of age, each at its own time', async () => {
  const clock = createVirtualClock()
  const fired: string[] = []
  const note = (name: string) => () => void fired.push(`${name} at ${clock.now()}`)
  clock.setTimer(note('late'), 30)
  clock.setTimer(note('first'), 10)
  clock.setTimer(note('second'), 10)
  clock.setTimer(note('never'), 31)

  await clock.advance(30)

  expect(fired).toEqual(['first at 10', 'second at 10', 'late at 30'])
  expect(clock.pending).toBe(1)
})

test('does not fire a timer that was disposed, also by one due at the same moment', async () => {
  const clock = createVirtualClock()
  const fired: string[] = []
  clock.setTimer(() => {
    fired.push('first')
    second[Symbol.dispose]()
  }, 5)
  const second = clock.setTimer(() => fired.push('second'), 5)
  const third = clock.setTimer(() => fired.push('third'), 5)
  third[Symbol.dispose]()
  third[Symbol.dispose]()

  await clock.advance(5)

  expect(fired).toEqual(['first'])
})

test('lets promises settle between timers, however long their chain', async () => {
  const clock = createVirtualClock()
  const events: string[] = []
  clock.setTimer(() => {
    void (async () => {
      for (let step = 0; step < 1000; step++) await Promise.resolve()
      events.push('settled')
    })()
  }, 1)
  clock.setTimer(() => void events.push('next timer'), 1)

  await clock.advance(1)

  expect(events).toEqual(['settled', 'next timer'])
})

test('fires timers that are set on the way, if they are due', async () => {
  const clock = createVirtualClock()
  const fired: number[] = []
  const tick = () => {
    fired.push(clock.now())
    void Promise.resolve().then(() => clock.setTimer(tick, 10))
  }
  clock.setTimer(tick, 10)

  await clock.advance(35)

  expect(fired).toEqual([10, 20, 30])
  expect(clock.pending).toBe(1)
})

test('sees timers that are set after a promise settles, before it moves', async () => {
  const clock = createVirtualClock()
  let firedAt: number | undefined
  void Promise.resolve().then(() => clock.setTimer(() => (firedAt = clock.now()), 5))

  await clock.advance(100)

  expect(firedAt).toBe(5)
})

test('moves once after the other when told twice', async () => {
  const clock = createVirtualClock()
  const fired: number[] = []
  clock.setTimer(() => void fired.push(clock.now()), 15)

  await Promise.all([clock.advance(10), clock.advance(10)])

  expect([clock.now(), ...fired]).toEqual([20, 15])
})

test('gives what a callback throws to whoever moved the clock, and goes on', async () => {
  const clock = createVirtualClock()
  clock.setTimer(() => {
    throw new Error('from a timer')
  }, 1)

  await expect(clock.advance(5)).rejects.toThrow('from a timer')
  await clock.advance(5)
  expect(clock.now()).toBe(6)
})

test('refuses to go back, and to run for ever', async () => {
  const clock = createVirtualClock()
  const again = () => void clock.setTimer(again, 0)

  await expect(clock.advance(-1)).rejects.toThrow(RangeError)
  await expect(clock.advance(Number.NaN)).rejects.toThrow(RangeError)
  again()
  await expect(clock.advance(1)).rejects.toThrow('keeps setting itself')
})

test('fires every timer once, in order, however the time is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(50), { maxLength: 20 }),
      fc.array(fc.nat(20), { maxLength: 6 }),
      async (delays, steps) => {
        const clock = createVirtualClock()
        const fired: number[] = []
        for (const ms of delays) clock.setTimer(() => void fired.push(clock.now()), ms)

        for (const step of steps) await clock.advance(step)

        const due = delays.filter((ms) => ms <= clock.now() && steps.length > 0)
        expect(fired).toEqual(due.toSorted((first, second) => first - second))
        expect(clock.pending).toBe(delays.length - due.length)
      },
    ),
    { numRuns: tries(50) },
  )
})
