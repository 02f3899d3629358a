import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

import { runLoad } from '../../src/bench/load.ts'
import { percentile, reportOf } from '../../src/bench/report.ts'
import { run } from '../run.ts'

const never = new AbortController().signal

test('bench measures calls, and says how many failed in which way', async () => {
  const server = createServer({ name: 'load', version: '1.0.0' })
  let count = 0
  server.tool('sometimes', {}, () => {
    count += 1
    if (count % 2 === 0) throw new Error('no')
    return 'yes'
  })
  const service = await serveHttp(server, { port: 0, ownProcess: false, onError: () => {} })
  const flags = ['-d', '0.2', '-c', '2', '--warmup', '0']

  const shown = await run(['bench', service.url.href, 'sometimes', ...flags])
  const { stdout } = await run([
    'bench',
    service.url.href,
    'sometimes',
    ...flags,
    '--rate',
    '50',
    '--json',
  ])
  await service.drain()

  expect(shown.stdout).toMatch(/^\d+ calls in [\d.]+ s: [\d.]+ a second$/m)
  expect(shown.stdout).toMatch(/^ {2}p99\.9 +[\d.]+ +ms$/m)
  expect(shown.stdout).toContain('█')
  expect(shown.stdout).toMatch(/failed: \w+ \d+/)
  const report = JSON.parse(stdout) as ReturnType<typeof reportOf>
  expect(report.calls).toBeGreaterThan(5)
  expect(report.calls).toBeLessThanOrEqual(11)
  expect(report.histogram.reduce((sum, { count: each }) => sum + each, 0)).toBe(report.calls)
})

test('with a rate, time counts from when a call was due: a stall shows in all that waited', async () => {
  let isFirst = true
  const stall = async () => {
    const ms = isFirst ? 300 : 0
    isFirst = false
    // Busy, so that nothing else gets a turn: a server that stalls.
    const until = performance.now() + ms
    while (performance.now() < until);
    return undefined
  }

  const { samples } = await runLoad(stall, {
    concurrency: 100,
    durationMs: 300,
    rate: 100,
    signal: never,
  })

  const late = samples.filter(({ ms }) => ms > 50).length
  expect(samples.length).toBeGreaterThan(20)
  expect(late).toBeGreaterThan(10)
})

test('percentiles are values that were measured', () => {
  const sorted = Array.from({ length: 100 }, (_, at) => at + 1)

  expect([0, 50, 90, 99, 99.9, 100].map((percent) => percentile(sorted, percent))).toEqual([
    1, 50, 90, 99, 100, 100,
  ])
  expect(percentile([], 50)).toBe(0)
})

test('a histogram has every call once', () => {
  const samples = [0.4, 1, 1.5, 30, 900].map((ms) => ({ ms }))

  const { histogram } = reportOf({ samples, elapsedMs: 1_000, dropped: 0 })

  expect(histogram.filter(({ count }) => count > 0)).toEqual([
    { upTo: 0.5, count: 1 },
    { upTo: 1, count: 1 },
    { upTo: 2, count: 1 },
    { upTo: 50, count: 1 },
    { upTo: 1000, count: 1 },
  ])
})
