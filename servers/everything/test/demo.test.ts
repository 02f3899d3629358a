import { spawnSync } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../dist/demo.js', import.meta.url))

function run(...args: readonly string[]) {
  return spawnSync(execPath, [program, ...args], { encoding: 'utf8', input: '' })
}

test('walks through the protocol without a terminal', () => {
  const { status, stdout, stderr } = run('--fast')

  expect(stderr).toBe('')
  expect(status).toBe(0)
  for (const passed of [
    'client → server  initialize #1',
    'client ← server  answer to initialize #1',
    'client → server  notifications/initialized',
    'client ← server  notifications/progress',
    'client ← server  elicitation/create',
    'client → server  answer to elicitation/create',
    'client ← server  sampling/createMessage',
    'client ← server  roots/list',
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
  expect(stdout).toContain('"clientInfo":{"name":"guided-tour","version":"1.0.0"}')
})

test('says how to use it', () => {
  expect(run('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('--frames') as string,
  })
  expect(run('--slow')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Usage: npm start') as string,
  })
})
