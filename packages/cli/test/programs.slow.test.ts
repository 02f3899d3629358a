import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { text } from 'node:stream/consumers'

import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { repositoryFile } from './run.ts'

/** Runs the program of a package as `npx` does. */
async function start(name: string, words: readonly string[], cwd = '/') {
  const file = repositoryFile(`packages/${name}/dist/program/main.js`)
  const child = spawn(execPath, [file, ...words], {
    cwd,
    env: { ...env, npm_command: '' }, // the tests may run by npx
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code: Number(code), stdout, stderr }
}

describe('a program of its own package', () => {
  test.each([
    ['inspector', 'Usage: parley inspect '],
    ['gateway', 'Usage: parley gateway '],
    ['registry', 'Usage: parley registry '],
    ['chat', 'Usage: parley chat '],
  ])('%s says what it takes, and its version', async (name, usage) => {
    const help = await start(name, ['--help'])
    const version = await start(name, ['--version'])

    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain(usage)
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('the gateway takes its file as a word, and its other commands by name', async () => {
    const cwd = folderWith({ 'gateway.yaml': 'servers:\n  git: { mode: all }\n' })

    const run = await start('gateway', ['gateway.yaml'], cwd)
    const check = await start('gateway', ['check', 'gateway.yaml'], cwd)
    const bridge = await start('gateway', ['bridge'], cwd)

    expect(run).toMatchObject({ code: 6, stdout: '' })
    expect(run.stderr).toContain('gateway.yaml:2: error:')
    expect(check.code).toBe(6)
    expect(bridge.stderr).toContain('error: no server given')
  })
})
