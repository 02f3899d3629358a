import { spawnSync } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../dist/demo.js', import.meta.url))

function run(...args: readonly string[]) {
  return spawnSync(execPath, [program, ...args], { encoding: 'utf8', input: '' })
}

/** What passes by handshake, and where every request stands for itself. */
const passing = {
  '2025-11-25': [
    'client → server  initialize #1',
    'client ← server  answer to initialize #1',
    'client → server  notifications/initialized',
    'client ← server  elicitation/create',
    'client → server  answer to elicitation/create',
    'client ← server  sampling/createMessage',
    'client ← server  roots/list',
    'client → server  resources/subscribe',
    'client → server  logging/setLevel',
  ],
  '2026-07-28': [
    'client → server  server/discover #1',
    'client ← server  answer to server/discover #1',
    'client ← server  input required for tools/call',
    'client → server  subscriptions/listen',
    'client ← server  notifications/subscriptions/acknowledged',
  ],
} as const

test.each([
  ['the newest revision', [], '2026-07-28'],
  ['the revision it is told', ['--revision', '2025-11-25'], '2025-11-25'],
] as const)('walks through the protocol without a terminal, in %s', (_, args, revision) => {
  const { status, stdout, stderr } = run('--fast', ...args)

  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout).toContain(`Everything Reference Server 2.0.0, ${revision}`)
  for (const passed of [
    ...passing[revision],
    'client ← server  notifications/progress',
    'client ← server  notifications/resources/updated',
    'client → server  completion/complete',
    'client ← server  notifications/message',
    'client → server  notifications/cancelled',
    'client ← server  error for tools/call',
  ]) {
    expect(stdout).toContain(passed)
  }
  expect(stdout).toContain('The end')
  expect(stdout).not.toContain('\u001B') // no colours in a pipe
})

test('shows messages in full when asked to', () => {
  const { status, stdout } = run('--fast', '--frames')

  expect(status).toBe(0)
  expect(stdout).toContain('clientInfo":{"name":"guided-tour","version":"1.0.0"}')
})

test('says how to use it', () => {
  expect(run('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('--frames') as string,
  })
  expect(run('--revision', '2020-01-01')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('2026-07-28') as string,
  })
  expect(run('--slow')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Usage: npm start') as string,
  })
})
