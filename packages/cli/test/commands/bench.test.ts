import { runLoad } from '@parley/foundation/load'
import { serveHttp } from '@parley/mcp/node'
import { createServer } from '@parley/mcp/server'
import { expect, test } from 'vitest'

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
  const service = await serveHttp(server, { port: 0, ownsProcess: false, onError: () => {} })
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
  expect(report.answered).toBeLessThan(report.calls)
  expect(report.histogram.reduce((sum, { count: each }) => sum + each, 0)).toBe(
    report.answered + report.unsent,
  )
})

test('bench of what never works says so, and fails', async () => {
  const server = createServer({ name: 'load', version: '1.0.0' })
  server.tool('never', {}, () => {
    throw new Error('no')
  })
  const service = await serveHttp(server, { port: 0, ownsProcess: false, onError: () => {} })

  const flags = ['-d', '0.1', '--warmup', '0']
  const shown = await run(['bench', service.url.href, 'never', ...flags])
  const asJson = await run(['bench', service.url.href, 'never', ...flags, '--json'])
  await service.drain()

  expect(shown).toMatchObject({ code: 5, stdout: expect.stringMatching(/failed: tool_error \d+/) })
  expect(shown.stderr).toMatch(/all \d+ calls of never failed/)
  expect(JSON.parse(asJson.stdout)).toMatchObject({ answered: 0, perSecond: 0 })
})

test('with a rate, nothing takes less than no time, and warming up keeps to the rate', async () => {
  let count = 0
  const server = createServer({ name: 'load', version: '1.0.0' })
  server.tool('count', {}, () => {
    count += 1
    return 'counted'
  })
  const service = await serveHttp(server, { port: 0, ownsProcess: false })

  const flags = ['-d', '0.5', '--warmup', '0.5', '--rate', '40', '--json']
  const { stdout } = await run(['bench', service.url.href, 'count', ...flags])
  await service.drain()

  expect((JSON.parse(stdout) as ReturnType<typeof reportOf>).latency.min).toBeGreaterThan(0)
  expect(count).toBeLessThanOrEqual(42)
})

test.each([
  ['--warmup', 'abc'],
  ['-c', '1.5'],
])('bench does not take %s %s', async (...flag) => {
  expect(await run(['bench', 'http://127.0.0.1:9/mcp', 'x', ...flag])).toMatchObject({ code: 1 })
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

  const waited: number[] = []
  const add = (ms: number) => void waited.push(ms)
  const plan = { concurrency: 100, durationMs: 400, rate: 100, signal: never }
  await runLoad(stall, plan, { add, addUnsent: add })

  const late = waited.filter((ms) => ms > 50).length
  expect(waited.length).toBeGreaterThan(20)
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

  const { histogram } = reportOf({ samples, unsent: [], elapsedMs: 1_000 })

  expect(histogram.filter(({ count }) => count > 0)).toEqual([
    { upTo: 0.5, count: 1 },
    { upTo: 1, count: 1 },
    { upTo: 2, count: 1 },
    { upTo: 50, count: 1 },
    { upTo: 1000, count: 1 },
  ])
})
