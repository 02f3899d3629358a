import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { StdioClientTransport as Official } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test } from 'vitest'

import { StdioClientTransport } from '../src/client/stdio.ts'
import { programToRun } from '../src/program-to-run.ts'
import { runModule } from './run-module.ts'

/** Makes a folder the current one, with files in it that may be executed. */
function enterFolder(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'compat-'))
  for (const name of names) {
    writeFileSync(join(folder, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  }
  const before = process.cwd()
  process.chdir(folder)
  onTestFinished(() => process.chdir(before))
  return folder
}

test('a file called like a package does not run in its place', () => {
  enterFolder('some-server', 'server.js')
  const lookup = { platform: 'linux', env: { PATH: '/bin' }, isProgram: () => true } as const
  const file = { file: process.execPath }

  expect(programToRun('some-server', ['--a'], lookup)).toEqual({
    kind: 'found',
    file: '/bin/npx',
    args: ['-y', 'some-server', '--a'],
    isVerbatim: false,
  })
  expect(programToRun('chart.js', [], lookup)).toMatchObject({ file: '/bin/npx' })
  expect(programToRun('server.js', [], lookup)).toMatchObject(file)
  expect(programToRun('./some-server', [], lookup)).toMatchObject(file)
  expect(programToRun('/some-server', [], lookup)).toMatchObject(file)
  expect(programToRun(String.raw`..\a`, [], { ...lookup, platform: 'win32' })).toMatchObject(file)
})

test('npx gets arguments on Windows that no shell reads', () => {
  const npx = String.raw`C:\node\npx.cmd`
  const lookup = {
    platform: 'win32',
    env: { Path: String.raw`.;C:\node` },
    isProgram: (path: string) => path === npx,
  } as const

  expect(programToRun('some-server&calc', ['a & b'], lookup)).toMatchObject({
    file: String.raw`C:\Windows\System32\cmd.exe`,
    args: expect.arrayContaining([`""${npx}" -y "some-server&calc" "a & b""`]),
    isVerbatim: true,
  })
})

test('a client starts no program of the folder that a relative PATH names', async () => {
  const cwd = enterFolder('planted')
  const transport = new StdioClientTransport({ command: 'planted', cwd, env: { PATH: '.:' } })

  await expect(transport.start()).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a missing program is the same error as with the official client', async () => {
  const errors = await Promise.all(
    [Official, StdioClientTransport].map(async (Transport) => {
      const transport = new Transport({ command: 'no-such-program', args: ['a'] })
      const seen: Error[] = []
      transport.onerror = (error) => seen.push(error)
      const error = await transport.start().then(
        () => undefined,
        (cause: Error) => [cause.message, Object.entries(cause)],
      )
      return [error, seen.length]
    }),
  )

  expect(errors[1]).toEqual(errors[0])
})

test('a path that does not exist says its name, and that it is missing here', async () => {
  const program = "await import('@modelcontextprotocol/sdk/server/nope.js')"
  const required = `import { createRequire } from 'node:module'
    createRequire(import.meta.url)('@modelcontextprotocol/sdk/server/nope.js')`
  const missing =
    '@modelcontextprotocol/sdk/server/nope.js is missing in @parley/compat, which has the paths of version 1.32.2'

  expect((await runModule(program)).stderr).toContain(missing)
  expect((await runModule(required)).stderr).toContain(missing)
})

test('an export that does not exist says its name', async () => {
  const { stderr } = await runModule(
    "import { Nope } from '@modelcontextprotocol/sdk/types.js'; Nope()",
  )

  expect(stderr).toContain("does not provide an export named 'Nope'")
})

test('with a guard, what a program writes to standard output goes to standard error', async () => {
  const { stdout, stderr } = await runModule(`
    import { configure } from '@parley/compat/options'
    import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
    configure({ guardStdout: true })
    const transport = new StdioServerTransport()
    await transport.start()
    console.log('stray')
    await transport.send({ jsonrpc: '2.0', method: 'notifications/a' })
    await transport.close()
    console.log('afterwards')`)

  expect(stdout).toBe('{"jsonrpc":"2.0","method":"notifications/a"}\nafterwards\n')
  expect(stderr).toBe('stray\n')
})
