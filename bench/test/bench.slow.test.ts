import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { findRedis } from '@parley/cluster/testing'
import { expect, test } from 'vitest'

import { measureHttpServer } from '../measure/http-server.mjs'
import { echo } from '../measure/workloads.mjs'

const program = fileURLToPath(new URL('../run.mjs', import.meta.url))
const bench = (...args: string[]) =>
  promisify(execFile)(process.execPath, [program, '--all-cores', ...args])

const quickCases = [
  'stdio-64',
  'memory',
  'client-stdio-64',
  'http-session-32',
  'http-modern-32',
  'gateway-stdio-32',
  'gateway-http-32',
  'http-guarded-32',
  'http-stream-100',
  'websocket-64',
  'client-http',
]

test('a tiny round of each case yields finite figures for the floor', async () => {
  const options = ['--rounds', '1', '--operations', '50', '--only', 'floor', '--json']
  const { stdout } = await bench(...quickCases, ...options)

  const { results } = JSON.parse(stdout)
  expect(results.map(({ name }: { name: string }) => name)).toEqual(quickCases)
  for (const { rows, verdicts } of results) {
    expect(rows).toHaveLength(1)
    const { cpuMicros, p50Micros, p99Micros, perSecond } = rows[0].figures
    for (const metric of [cpuMicros, p50Micros, p99Micros, perSecond]) {
      expect(metric).toBeGreaterThan(0)
      expect(metric).toBeLessThan(Infinity)
    }
    // Without us in the run there is nothing to compare, and nothing is claimed.
    for (const verdict of verdicts) expect(verdict).not.toHaveProperty('holds')
  }
})

test('the memory of a session of the floor is a positive number of bytes', async () => {
  const options = ['--rounds', '1', '--operations', '1000', '--only', 'floor', '--json']
  const { stdout } = await bench('http-session-memory', ...options)

  const [{ rows }] = JSON.parse(stdout).results
  expect(rows[0].figures.heapBytes).toBeGreaterThan(0)
})

test.skipIf(findRedis() === undefined)(
  'a tiny round with a cluster counts its store commands apart from the idle ones',
  async () => {
    const options = ['--rounds', '1', '--operations', '200', '--json']
    const { stdout } = await bench('cluster-call', ...options)

    const [{ rows, verdicts }] = JSON.parse(stdout).results
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(['alone', 'shared'])
    expect(rows[0].figures).toMatchObject({ commands: 0, background: 0, redisMicros: 0 })
    expect(rows[1].figures.background).toBeGreaterThan(0)
    expect(verdicts).toHaveLength(2)
  },
)

test('the host is measured: definitions by mode, calls above a plain client, and its start', async () => {
  const options = ['--rounds', '1', '--operations', '20', '--json']
  const { stdout } = await bench('host', ...options)

  const { results } = JSON.parse(stdout)
  const rowOf = (name: string, row: string) =>
    results
      .find((one: { name: string }) => one.name === name)
      .rows.find((one: { name: string }) => one.name === row).figures
  expect(rowOf('host-definitions', 'all')).toMatchObject({ tools: 480 })
  expect(rowOf('host-definitions', 'search')).toMatchObject({ tools: 3 })
  expect(rowOf('host-definitions', 'search').percent).toBeLessThan(10)
  expect(rowOf('host-call', 'host').cpuMicros).toBeGreaterThan(0)
  expect(rowOf('host-start', 'ten').elapsedMs).toBeGreaterThan(0)
  expect(rowOf('host-start', 'children').elapsedMs).toBeGreaterThan(0)
})

test('who cannot do what a case asks for is listed with the reason', async () => {
  const options = ['--rounds', '1', '--operations', '10', '--only', 'official-v1,floor', '--json']
  const { stdout } = await bench('http-modern-32', ...options)

  const [{ rows }] = JSON.parse(stdout).results
  expect(rows[0].failure).toBe('does not speak 2026-07-28')
  expect(rows[1].figures.cpuMicros).toBeGreaterThan(0)
})

test('a server that dies is reported with its own words', async () => {
  const dying = fileURLToPath(new URL('fixtures/dying-server.mjs', import.meta.url))
  const load = { workload: echo, operations: 1, warmUp: 1, connections: 1 }

  await expect(measureHttpServer(dying, load)).rejects.toThrow('I cannot serve')
})

test('an unknown case is refused with the names there are', async () => {
  await expect(bench('stdio-65')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown case 'stdio-65'; there are stdio-64, stdio-1"),
  })
})

test('a partial run cannot overwrite the page of figures', async () => {
  await expect(bench('memory', '--write')).rejects.toMatchObject({ code: 2 })
})
