import { describe, expect, test } from 'vitest'

import { childEnvironment, nameCommand } from '../../src/transport/stdio/start-child.ts'
import { createStderrRing } from '../../src/transport/stdio/stderr-ring.ts'

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

    expect(env).toMatchObject({ PATH: 'D:', SystemRoot: 'W' })
    expect(env).not.toHaveProperty('Path')
  })
})

test('keeps cmd.exe from starting programs of the working directory by name, unless an entry wants that', () => {
  const variable = 'NoDefaultCurrentDirectoryInExePath'

  expect(childEnvironment({}, {}, 'win32')).toEqual({ [variable]: '1' })
  expect(childEnvironment({ env: { [variable]: '' } }, {}, 'win32')).toEqual({ [variable]: '' })
  expect(childEnvironment({}, {}, 'linux')).toEqual({})
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
