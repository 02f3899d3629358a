import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import process from 'node:process'

import { connect } from '@parley/mcp/client'
import {
  findProgram,
  resolveCommand,
  searchPath,
  sharedFolderWarning,
  systemProgram,
  type ProgramLookup,
} from '@parley/mcp/system'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { isExecutable, type ProgramFiles } from '../../src/transport/system/programs.ts'

const isWindows = process.platform === 'win32'

function windows(...files: string[]): ProgramLookup {
  const known = new Set(files.map((file) => file.toLowerCase()))
  return {
    platform: 'win32',
    env: {
      Path: String.raw`C:\node;"C:\Program Files\tools";;C:\node`,
      PATHEXT: '.COM;.EXE;.BAT;.CMD',
    },
    cwd: String.raw`C:\work`,
    isProgram: (path) => known.has(path.toLowerCase()),
  }
}

function posix(...files: string[]): ProgramLookup {
  return {
    platform: 'linux',
    env: { PATH: '/usr/bin::/opt/bin' },
    cwd: '/project',
    isProgram: (path) => files.includes(path),
  }
}

describe('finding a command', () => {
  test('never takes a program of the working directory by its bare name', () => {
    const lookup = windows(
      String.raw`C:\work\git.exe`,
      String.raw`C:\work\tools\git.exe`,
      String.raw`C:\work\npx.cmd`,
    )
    const env = { Path: String.raw`C:\node;.;tools;.\tools;` }

    expect(findProgram('git', lookup)).toMatchObject({ kind: 'missing' })
    expect(findProgram('git.exe', { ...lookup, env })).toEqual({
      kind: 'missing',
      searched: [String.raw`C:\node`],
    })
    expect(resolveCommand('npx', [], { ...lookup, env })).toMatchObject({ kind: 'missing' })
    expect(findProgram(String.raw`.\git`, lookup)).toMatchObject({ kind: 'found' })
  })

  test('looks on Windows in folders of a drive or a server only', () => {
    const folders = String.raw`\tools;/bin;C:tools;\\?\C:\tools;C:\ok;d:/ok;\\server\share`

    expect(searchPath({ PATH: folders }, 'win32')).toEqual([
      String.raw`C:\ok`,
      'd:/ok',
      String.raw`\\server\share`,
    ])
  })

  test('runs a batch file by the cmd.exe of our own environment', () => {
    const lookup = windows(String.raw`C:\node\npx.cmd`)
    const env = { ...lookup.env, SystemRoot: String.raw`C:\Users\Public\planted` }

    expect(resolveCommand('npx', [], { ...lookup, env })).toMatchObject({
      file: systemProgram('cmd'),
    })
  })

  test('takes programs of Windows from its system folder, whatever the environment says', () => {
    expect(systemProgram('taskkill', { SYSTEMROOT: String.raw`D:\Win` })).toBe(
      String.raw`D:\Win\System32\taskkill.exe`,
    )
    for (const SystemRoot of ['.', 'Windows', undefined]) {
      expect(systemProgram('taskkill', { SystemRoot })).toBe(
        String.raw`C:\Windows\System32\taskkill.exe`,
      )
    }
  })

  test('an environment that was laid over another has the last word, in any case of the name', () => {
    const env = { Path: String.raw`C:\old`, PATH: String.raw`C:\new` }

    expect(searchPath(env, 'win32')).toEqual([String.raw`C:\new`])
  })

  test('finds programs of the Microsoft Store, which Windows only lets be started', () => {
    const file = String.raw`C:\Users\me\AppData\Local\Microsoft\WindowsApps\python.exe`
    const rejected = (code: string) => () => {
      throw Object.assign(new Error(code), { code })
    }
    const files = (code: string): ProgramFiles => ({
      statSync: rejected(code),
      accessSync: rejected(code),
      lstatSync: (path) => (path === file ? { isDirectory: () => false } : rejected('ENOENT')()),
    })
    const is = (path: string, code: string, platform: NodeJS.Platform = 'win32') =>
      isExecutable(path, { platform, env: {} }, files(code))

    expect(is(file, 'EACCES')).toBe(true)
    expect(is(file, 'UNKNOWN')).toBe(true)
    expect(is(file, 'ENOENT')).toBe(false)
    expect(is(file.replace('.exe', '.txt'), 'EACCES')).toBe(false)
    expect(is(file.replace('python', 'other'), 'EACCES')).toBe(false)
    expect(is(file, 'EACCES', 'linux')).toBe(false)
  })

  test('a program planted in the working directory is not started, even if PATH names that folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'planted-'))
    const name = `planted-${process.pid}${isWindows ? '.cmd' : ''}`
    const said = join(folder, 'said')
    writeFileSync(
      join(folder, name),
      isWindows ? `@echo off\r\necho yes> "${said}"` : `#!/bin/sh\ntouch '${said}'`,
    )
    chmodSync(join(folder, name), 0o755)
    const entry = {
      cwd: folder,
      env: { PATH: `${relative('.', folder)}${delimiter}${process.env['PATH']}` },
    }

    await expect(connect({ command: name, ...entry })).rejects.toMatchObject({
      code: 'spawn_failed',
    })
    expect(existsSync(said)).toBe(false)
    await expect(connect({ command: join(folder, name), ...entry })).rejects.toThrow()
    expect(existsSync(said)).toBe(true) // it would have run
  })

  test('searches PATH in order and leaves arguments alone', () => {
    const lookup = posix('/opt/bin/server', '/usr/bin/server', '/project/server')

    expect(resolveCommand('server', ['a b', '"'], lookup)).toEqual({
      kind: 'found',
      file: '/usr/bin/server',
      args: ['a b', '"'],
      isVerbatim: false,
    })
  })

  test('takes a path from the folder of the child, and never searches that for a bare name', () => {
    const lookup = posix('/project/bin/server', '/project/server')

    expect(resolveCommand('./bin/server', [], lookup)).toMatchObject({
      file: '/project/bin/server',
    })
    expect(resolveCommand('server', [], lookup)).toEqual({
      kind: 'missing',
      searched: ['/usr/bin', '/opt/bin'],
    })
    expect(resolveCommand('./nothing', [], lookup)).toEqual({
      kind: 'missing',
      searched: ['/project/nothing'],
    })
  })

  test('tries the extensions of PATHEXT on Windows, not the bare name', () => {
    const lookup = windows(String.raw`C:\node\npx`, String.raw`C:\Program Files\tools\uvx.exe`)

    expect(resolveCommand('npx', [], lookup)).toMatchObject({
      kind: 'missing',
      searched: [String.raw`C:\node`, String.raw`C:\Program Files\tools`],
    })
    expect(resolveCommand('uvx', ['a b'], lookup)).toEqual({
      kind: 'found',
      file: String.raw`C:\Program Files\tools\uvx.exe`,
      args: ['a b'],
      isVerbatim: false,
    })
    expect(resolveCommand('UVX.EXE', [], lookup)).toMatchObject({ kind: 'found' })
    expect(resolveCommand(String.raw`C:\Program Files\tools\uvx`, [], lookup)).toMatchObject({
      kind: 'found',
    })
  })

  test('runs a batch file through cmd.exe, quoted for it', () => {
    const lookup = windows(String.raw`C:\Program Files\tools\npx.cmd`)

    const resolved = resolveCommand(
      'npx',
      [
        '-y',
        '@scope/server',
        '',
        'a b',
        'say "hi" & calc',
        '100%',
        String.raw`C:\end\ `.trim(),
        '^|<>!',
      ],
      lookup,
    )

    expect(resolved).toEqual({
      kind: 'found',
      file: String.raw`C:\Windows\System32\cmd.exe`,
      isVerbatim: true,
      args: [
        '/e:ON',
        '/v:OFF',
        '/d',
        '/s',
        '/c',
        String.raw`""C:\Program Files\tools\npx.cmd" -y @scope/server "" "a b" "say ""hi"" & calc" "100%%cd:~,%" "C:\end\\" "^|<>!""`,
      ],
    })
  })

  test('never leaves a quote open in a batch command line', () => {
    const lookup = windows(String.raw`C:\node\npx.cmd`)
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('"', '\\', '&', ' ', '%', 'a', '^') })),
        (args) => {
          const resolved = resolveCommand('npx', args, lookup)
          const line = resolved.kind === 'found' ? String(resolved.args.at(-1)).slice(1, -1) : ''

          // What cmd.exe takes for an operator is what stands outside quotes.
          const outside = line
            .split('"')
            .filter((_, index) => index % 2 === 0)
            .join('')
          expect(line.split('"').length % 2).toBe(1)
          expect(outside).not.toMatch(/[&^%]/)
        },
      ),
    )
  })

  test.each([
    ['a line break', 'a\r\ncalc'],
    ['a lone CR', 'a\rcalc'],
    ['a lone LF', 'a\ncalc'],
    ['a NUL', 'a\0calc'],
  ])('refuses %s in an argument of a batch file', (_, argument) => {
    const lookup = windows(String.raw`C:\node\npx.cmd`)

    expect(resolveCommand('npx', ['-y', argument], lookup)).toMatchObject({ kind: 'refused' })
  })
})

test('a folder for secrets that other users of a Windows machine may read is warned of', () => {
  const env = { UserProfile: String.raw`C:\Users\ada` }
  const warningOf = (folder: string, platform: NodeJS.Platform = 'win32') =>
    sharedFolderWarning(folder, platform, env)

  expect(warningOf(String.raw`C:\Users\ada\AppData\Local\parley`)).toBeUndefined()
  expect(warningOf(String.raw`c:\users\ADA\x`)).toBeUndefined()
  for (const folder of [String.raw`C:\parley`, String.raw`D:\state`, String.raw`C:\Users\adam`]) {
    expect(warningOf(folder)).toContain(`may be able to read ${folder}`)
  }
  expect(warningOf('/srv/parley', 'linux')).toBeUndefined()
})
