import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Io } from '@parley/cli'
import { expect, test, vi } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { createServiceLog } from '../../src/output/service-log.ts'
import { run } from '../run.ts'

interface LogLine {
  readonly time: string
  readonly level: string
  readonly event: string
  readonly [name: string]: unknown
}

test('every line of a running gateway is JSON with time and level, and a reload says what is in force', async () => {
  const cwd = folderWith({ 'gateway.yaml': 'servers: {}\n' })
  const lines: LogLine[] = []
  const take = (text: string) => {
    for (const line of text.trim().split('\n')) lines.push(JSON.parse(line) as LogLine) // as it says with --json
  }
  const received = (event: string, count = 1) =>
    vi.waitFor(() => {
      const found = lines.filter((line) => line.event === event)
      expect(found.length).toBeGreaterThanOrEqual(count)
      return found.at(-1) as LogLine // there is one
    })
  const controller = new AbortController()
  const running = run(['gateway', 'run', '--config', 'gateway.yaml', '--port', '0', '--json'], {
    cwd,
    env: { PARLEY_STATE: folderWith({}) },
    signal: controller.signal,
    onStdout: take,
    onStderr: take,
  })
  const { url } = await received('ready')
  const write = (text: string) => writeFileSync(join(cwd, 'gateway.yaml'), text)

  write('servers: {}\nauth: { keys: keys.json }\npage: 0\n')
  const applied = await received('reload')
  const { status } = await fetch(String(url), { method: 'POST' })
  await received('page')
  write('servers: {}\nauth: { keys: keys.json }\nlisten: { http: 3999 }\n')
  const later = await received('reload', 2)
  const restart = await received('restart')
  write('servers: { a: { comand: x } }\n')
  const mistake = await received('config')
  const rejected = await received('reload', 3)
  controller.abort(new Error('enough'))
  await running

  expect(applied).toMatchObject({ level: 'info', applied: ['auth', 'page'], restart: [] })
  expect(status).toBe(401)
  expect(later).toMatchObject({ applied: ['page'], restart: ['listen'] })
  expect(restart).toMatchObject({
    level: 'warning',
    message: 'listen changed: start the gateway again to use it',
  })
  expect(mistake).toMatchObject({ level: 'error' })
  expect(rejected['message']).toMatch(/^reload failed: 1 error in the configuration/)
  for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time)
})

test('a line of text has time, level, server and the id of the request', () => {
  const written: string[] = []
  const stderr = { write: (text: string | Uint8Array) => written.push(String(text)) }
  const io = { stdout: stderr, stderr, env: {} } as unknown as Io // what a log uses
  const now = () => new Date(0)
  const log = createServiceLog(io, {}, { to: 'http', now })

  log.write('error', 'error', 'it broke\u001b[2J', { server: 'git', request: 'r-1' })
  log.write('debug', 'stderr', 'hidden')
  createServiceLog(io, { quiet: true }, { to: 'http', now }).write('info', 'ready', 'hidden')
  createServiceLog(io, { verbose: true, json: true }, { to: 'stdio', now }).write(
    'debug',
    'x',
    'y',
    {
      server: 'git',
    },
  )

  expect(written).toEqual([
    '1970-01-01T00:00:00.000Z error git: it broke\\e[2J (request r-1)\n',
    '{"time":"1970-01-01T00:00:00.000Z","level":"debug","event":"x","server":"git","message":"y"}\n',
  ])
})
