import { describe, expect, onTestFinished, test } from 'vitest'

import { createHistogram } from '../../src/service/runs/histogram.ts'
import { serveEverything } from './everything.ts'
import { openPage } from './page-client.ts'

async function openEverything() {
  const everything = await serveEverything()
  const page = await openPage({ servers: [{ name: 'all', entry: everything.entry }] })
  onTestFinished(async () => {
    await page[Symbol.asyncDispose]()
    await everything[Symbol.asyncDispose]()
  })
  await page.ask('servers/connect', { name: 'all' })
  return page
}

const plan = {
  server: 'all',
  tool: 'echo',
  args: { message: 'x' },
  concurrency: 4,
  durationMs: 300,
}

test('a closed loop calls as often as it is answered, and ends', async () => {
  const page = await openEverything()

  const { id } = await page.ask('bench/start', { ...plan, durationMs: 60_000 })
  await page.next('bench/report', (data) => data.id === id && data.calls > 0)
  const report = await page.ask('bench/stop', { id })

  expect(report.errors).toEqual({})
  expect(report.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(report.calls)
  expect(report.series.reduce((sum, { calls }) => sum + calls, 0)).toBe(report.calls)
  expect(report.latency.p50).toBeLessThanOrEqual(report.latency.p99)
  expect(report.latency.p99).toBeLessThanOrEqual(report.latency.max)
})

test('an open loop counts from when a call was due, so that a stall cannot hide', async () => {
  const page = await openEverything()

  // One at a time, each a tenth of a second: of the calls that were due most had to wait.
  const { id } = await page.ask('bench/start', {
    ...plan,
    tool: 'trigger-long-running-operation',
    args: { duration: 0.1, steps: 1 },
    concurrency: 1,
    rate: 50,
    durationMs: 600,
  })
  const report = await page.next('bench/report', (data) => data.id === id && data.done)

  expect(report.unsent).toBeGreaterThan(0)
  expect(report.latency.max).toBeGreaterThan(report.latency.min)
  expect(report.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(
    report.calls + report.unsent,
  )
})

test('calls that were due and never sent are no throughput', async () => {
  const page = await openEverything()

  // One at a time, each half a second: far fewer can be made than are due.
  const { id } = await page.ask('bench/start', {
    ...plan,
    tool: 'trigger-long-running-operation',
    args: { duration: 0.5, steps: 1 },
    concurrency: 1,
    rate: 100,
    durationMs: 1200,
  })
  const report = await page.next('bench/report', (data) => data.id === id && data.done)

  expect(report.calls).toBeLessThanOrEqual(3)
  expect(report.unsent).toBeGreaterThan(20)
  expect(report.perSecond).toBeCloseTo((report.calls * 1000) / report.elapsedMs)
  expect(report.series.reduce((sum, { calls }) => sum + calls, 0)).toBe(report.calls)
  expect(report.errors).toEqual({})
})

test('a load ends by itself', async () => {
  const page = await openEverything()

  const { id } = await page.ask('bench/start', { ...plan, durationMs: 50 })

  expect(await page.next('bench/report', (data) => data.id === id && data.done)).toMatchObject({
    plan: { tool: 'echo' },
  })
})

test('a load is stopped, its report is the last, and its messages are not recorded', async () => {
  const page = await openEverything()
  const { last: before } = await page.ask('trace/page', { after: 0, limit: 1 })
  const { id } = await page.ask('bench/start', { ...plan, durationMs: 60_000 })

  const second = page.ask('bench/start', plan)
  await expect(second).rejects.toThrow('bench_running')
  const report = await page.ask('bench/stop', { id })
  const { records } = await page.ask('trace/page', { after: before, limit: 5000 })

  expect(report.done).toBe(true)
  expect(JSON.stringify(records)).not.toContain('"tools/call"')
  expect(records.filter(({ kind }) => kind === 'decision')).toHaveLength(2)
})

test('errors are counted by kind', async () => {
  const page = await openEverything()

  const { id } = await page.ask('bench/start', {
    ...plan,
    tool: 'no-such-tool',
    durationMs: 60_000,
  })
  await page.next('bench/report', (data) => data.id === id && data.calls > 0)
  const report = await page.ask('bench/stop', { id })

  expect(report.errors['invalid_params']).toBe(report.calls)
})

describe('a histogram', () => {
  test('is right to within five percent', () => {
    const histogram = createHistogram()
    for (let ms = 1; ms <= 1000; ms += 1) histogram.add(ms)

    expect(histogram.count).toBe(1000)
    for (const [share, exact] of [
      [0.5, 500],
      [0.9, 900],
      [0.99, 990],
    ] as const) {
      expect(Math.abs(histogram.at(share) - exact) / exact).toBeLessThan(0.051)
    }
    expect(histogram.latency()).toMatchObject({ min: 1, max: 1000, mean: 500.5 })
  })

  test('of nothing is all zero', () => {
    expect(createHistogram().latency()).toEqual({
      min: 0,
      mean: 0,
      p50: 0,
      p90: 0,
      p95: 0,
      p99: 0,
      max: 0,
    })
  })
})
