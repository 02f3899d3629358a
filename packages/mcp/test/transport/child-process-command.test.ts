import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  childEnvironment,
  resolveCommand,
  type CommandLookup,
  nameCommand,
} from '../../src/transport/stdio/start-child.ts'
import { createStderrRing } from '../../src/transport/stdio/stderr-ring.ts'

function windows(...files: string[]): CommandLookup {
  const known = new Set(files.map((file) => file.toLowerCase()))
  return {
    platform: 'win32',
    env: {
      Path: String.raw`C:\node;"C:\Program Files\tools";;C:\node`,
      PATHEXT: '.COM;.EXE;.BAT;.CMD',
    },
    cwd: String.raw`C:\work`,
    exists: (path) => known.has(path.toLowerCase()),
  }
}

function posix(...files: string[]): CommandLookup {
  return {
    platform: 'linux',
    env: { PATH: '/usr/bin::/opt/bin' },
    cwd: '/project',
    exists: (path) => files.includes(path),
  }
}

describe('finding a command', () => {
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
      file: 'cmd.exe',
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

  test('refuses a line break in an argument of a batch file', () => {
    const lookup = windows(String.raw`C:\node\npx.cmd`)

    expect(resolveCommand('npx', ['a\r\ncalc'], lookup)).toMatchObject({ kind: 'refused' })
  })
})

describe('the environment of a child', () => {
  const ours = {
    PATH: '/bin',
    LC_TIME: 'pl_PL',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    NO_PROXY: 'localhost',
    AWS_SECRET_ACCESS_KEY: 'secret',
    GITHUB_TOKEN: 'token',
    HOME: '() { :; }; evil',
  }

  test('has what programs need and no secrets; shell functions are left out', () => {
    expect(childEnvironment({}, ours, 'linux')).toEqual({
      PATH: '/bin',
      LC_TIME: 'pl_PL',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      NO_PROXY: 'localhost',
    })
  })

  test('has further variables by name, or all of them', () => {
    expect(childEnvironment({ inheritEnv: ['GITHUB_TOKEN'] }, ours, 'linux')).toMatchObject({
      PATH: '/bin',
      GITHUB_TOKEN: 'token',
    })
    expect(childEnvironment({ inheritEnv: 'all' }, ours, 'linux')).toHaveProperty(
      'AWS_SECRET_ACCESS_KEY',
    )
  })

  test('takes names without case on Windows, so that an entry replaces what is there', () => {
    const env = childEnvironment({ env: { PATH: 'D:' } }, { Path: 'C:', SystemRoot: 'W' }, 'win32')

    expect(env).toEqual({ PATH: 'D:', SystemRoot: 'W' })
  })
})

describe('naming a command', () => {
  test.each([
    ['npx -y @scope/server --key 123', 'npx @scope/server'],
    ['/usr/bin/node server.js --token abc', 'node server.js'],
    ['docker run -e KEY=1 image', 'docker run'],
    ['server --key secret', 'server'],
    ['mcp-remote https://host/?key=1', 'mcp-remote'],
    ['server', 'server'],
  ])('%s is %s', (line, name) => {
    const [command = '', ...args] = line.split(' ')

    expect(nameCommand({ command, args })).toBe(name)
  })
})

describe('the end of stderr', () => {
  test('is whole lines as they come, in any pieces', () => {
    const lines: string[] = []
    const ring = createStderrRing((line) => lines.push(line))

    for (const byte of Buffer.from('zażółć\r\n\nlast')) ring.push(Buffer.of(byte))
    ring.end()

    expect(lines).toEqual(['zażółć', '', 'last'])
  })

  test('is bounded, and not cut within a character', () => {
    const lines: string[] = []
    const ring = createStderrRing((line) => lines.push(line), 10)

    for (let index = 0; index < 5_000; index++) ring.push(Buffer.from('é€'))

    expect(Buffer.byteLength(ring.text())).toBeLessThanOrEqual(10)
    expect('é€é€é€'.endsWith(ring.text())).toBe(true)
    expect(lines.every((line) => line.length <= 20)).toBe(true)
  })
})
