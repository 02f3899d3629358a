import { createVirtualClock } from '@parley/mcp/testing'
import { expect, test } from 'vitest'

import { createBackoff } from '../../src/rpc/backoff.ts'

const limits = { minDelayMs: 500, maxDelayMs: 30_000 }

test('waits longer and longer between its limits, with jitter', async () => {
  const clock = createVirtualClock()
  const backoff = createBackoff({ clock, ...limits })

  expect(backoff.next()).toBe(500)
  for (let attempt = 1; attempt < 19; attempt += 1) {
    const delay = backoff.next()
    expect(delay).toBeGreaterThanOrEqual(500)
    expect(delay).toBeLessThanOrEqual(Math.min(30_000, 500 * 2 ** attempt))
  }
})

test('is patient again only after a minute of success', async () => {
  const clock = createVirtualClock()
  const backoff = createBackoff({ clock, minDelayMs: 10, maxDelayMs: 10_000 })
  for (let attempt = 0; attempt < 10; attempt += 1) backoff.next()

  backoff.succeeded()
  await clock.advance(59_999)
  const early = Array.from({ length: 5 }, () => backoff.next())
  backoff.succeeded()
  await clock.advance(60_000)

  expect(Math.max(...early)).toBeGreaterThan(10)
  expect(backoff.next()).toBe(10)
})

test('takes the wish of the peer for the first attempt, and as a minimum afterwards', () => {
  const clock = createVirtualClock()
  const backoff = createBackoff({ clock, ...limits })

  expect(backoff.next(120)).toBe(120)
  expect(backoff.next(120)).toBeGreaterThanOrEqual(500)
  expect(backoff.next(50_000)).toBe(50_000)
  expect(backoff.next(Infinity)).toBe(300_000)
})

test('waits a moment even where the peer wishes for none', () => {
  const clock = createVirtualClock()

  expect(createBackoff({ clock, ...limits }).next(0)).toBe(100)
  expect(createBackoff({ clock, minDelayMs: 5, maxDelayMs: 10 }).next(0)).toBe(5)
})

test('is short again after something came of it, which makes no more attempts of it', () => {
  const clock = createVirtualClock()
  const backoff = createBackoff({ clock, minDelayMs: 10, maxDelayMs: 10_000 })
  const delays = Array.from({ length: 21 }, () => {
    backoff.progressed()
    return backoff.next()
  })

  expect(delays.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 10))
  expect(delays[20]).toBe(60_010)
})

test('makes at most twenty attempts a minute, whatever is wished', async () => {
  const clock = createVirtualClock()
  const backoff = createBackoff({ clock, minDelayMs: 0, maxDelayMs: 0 })
  const madeAt: number[] = []
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await clock.advance(backoff.next(0))
    madeAt.push(clock.now())
    backoff.succeeded()
  }

  for (const at of madeAt) {
    const inWindow = madeAt.filter((other) => other >= at && other < at + 60_000)
    expect(inWindow.length).toBeLessThanOrEqual(20)
  }
})
