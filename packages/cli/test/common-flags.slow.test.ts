import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { brokenServer, listenBroken } from './check/broken-server.ts'
import { guarded } from './guarded.ts'
import { repositoryFile, run } from './run.ts'

/** Every command that talks to a server, in its shortest form. */
const talking: readonly (readonly string[])[] = [
  ['list'],
  ['call', 'echo', 'text=hi'],
  ['read', 'note://1'],
  ['prompt', 'greet', 'who=me'],
  ['complete', 'greet', 'who', 'v'],
  ['info'],
  ['ping', '--count', '1'],
  ['watch', '--for', '0.3'],
  ['bench', 'now', '--duration', '0.2', '--warmup', '0'],
  ['types'],
  ['doctor'],
  ['check'],
]

const byName = (words: readonly string[]) => [words[0] ?? '', words] as const
const notifying = repositoryFile('packages/cli/test/fixtures/telling-server.mjs')
const silent = ['--', execPath, '-e', 'console.error("busy"); process.stdin.resume()']

interface TracedRecord {
  readonly kind: string
  readonly text?: string
  readonly message?: { readonly params?: { readonly protocolVersion?: string } }
}

function readTrace(file: string): readonly TracedRecord[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as TracedRecord) // our own format
}

describe.each(talking.map(byName))('%s', (_, words) => {
  test('speaks the revision, writes the trace, and starts the command where and with what it is told', async () => {
    const cwd = realpathSync(folderWith({ 'place/empty': '' }))
    const flags = ['--json', '--quiet', '--era', '2025-06-18', '--timeout', '9000']
    const where = ['-e', 'WORD=w', '--cwd', 'place', '--trace', 't.jsonl']

    const ran = await run([...words, ...flags, ...where, '--', execPath, notifying], { cwd })

    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const lines = words[0] === 'watch' ? ran.stdout.split('\n').filter(Boolean) : [ran.stdout]
    for (const line of lines) JSON.parse(line)
    const trace = readTrace(join(cwd, 't.jsonl'))
    expect(trace).toContainEqual(
      expect.objectContaining({ kind: 'stderr', text: `WORD is w in ${cwd}/place` }),
    )
    const asked = trace.map(({ message }) => message?.params?.protocolVersion).filter(Boolean)
    expect(asked[0]).toBe('2025-06-18')
  })

  test('waits no longer than it is told', async () => {
    const { code, stdout, stderr } = await run([...words, '--timeout', '300', ...silent], {
      cwd: folderWith({}),
    })

    expect(code).toBe(words[0] === 'doctor' ? 4 : 124)
    expect(stdout + stderr).toContain('in 300 ms')
  })

  test('sends headers', async () => {
    await using server = await listenBroken()
    const url = await guarded(server.url)
    const [command = '', ...rest] = words
    const cwd = folderWith({})

    const line = [command, url, ...rest, '--era', 'legacy']
    const without = await run(line, { cwd })
    const { code } = await run([...line, '-H', 'X-Key: k'], { cwd })

    expect(without.code).toBe(command === 'doctor' ? 4 : 3)
    expect(code).toBe(0)
  })

  test('has no colours when it is told so', async () => {
    const env = { FORCE_COLOR: '1' }
    const cwd = folderWith({})
    const behind = ['--era', 'legacy', '--', execPath, brokenServer, 'wrong-code']

    const good = await run([...words, '--no-color', ...behind], { env, cwd })
    const bad = await run([...words, '--no-color', '--', 'parley-no-such-program'], { env, cwd })

    expect(good.stdout + good.stderr + bad.stdout + bad.stderr).not.toContain('\u001b')
    expect(bad.code).toBe(4)
  })

  test.each([
    [['--header', 'A: b', '--', execPath, brokenServer], '--header is for servers that are URLs'],
    [['--transport', 'http', '--', execPath, brokenServer], '--transport is for servers'],
    [
      ['-e', 'A=b', '--config', 'mcp.json', '--server', 'far'],
      '-e is for servers that are commands',
    ],
    [['--cwd', '/', '--config', 'mcp.json', '--server', 'far'], '--cwd is for servers that are'],
    [['--era', 'soon', '--', execPath, brokenServer], '--era soon is unknown'],
    [
      ['--timeout', 'soon', '--', execPath, brokenServer],
      '"soon" is not a time: write 500ms, 5s or 2m',
    ],
  ])('refuses %j', async (flags, said) => {
    const cwd = folderWith({
      'mcp.json': { mcpServers: { far: { url: 'http://127.0.0.1:1/mcp' } } },
    })

    const { code, stderr } = await run([...words, ...flags], { cwd })

    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(said) as unknown })
  })
})

/** Every command that does not. */
const silentCommands: readonly (readonly string[])[] = [
  ['trace', 'view', 't.jsonl'],
  ['trace', 'stats', 't.jsonl'],
  ['trace', 'diff', 't.jsonl', 't.jsonl'],
  ['trace', 'convert', 't.jsonl', '--to', 'otlp'],
  ['config', 'list'],
  ['config', 'check'],
  ['config', 'import'],
  ['config', 'export', '--to', 'cursor'],
  ['config', 'inputs', 'list'],
  ['auth', 'status'],
  ['auth', 'logout', 'http://127.0.0.1:1/mcp'],
  ['serve', 'server.js'],
  ['init', 'folder'],
  ['completion', 'bash'],
]

describe.each(silentCommands.map((words) => [words.join(' '), words] as const))(
  '%s',
  (_, words) => {
    test.each([
      ['--era', 'legacy'],
      ['--header', 'A: b'],
      ['-e', 'A=b'],
      ['--cwd', '/'],
      ['--root', '/'],
      ['--transport', 'http'],
      ['--trace', 't'],
    ])('has no use for %s, and says why', async (flag, value) => {
      const { code, stderr } = await run([...words, flag, value])

      expect(code).toBe(1)
      expect(stderr).toMatch(
        new RegExp(`parley \\w+.* does not take ${flag}: it connects to no server\nSee `),
      )
    })
  },
)

describe('flags before names', () => {
  test.each([
    [['--json', 'config', 'list']],
    [['config', '--json', 'list']],
    [['--config', 'mcp.json', '--json', 'config', 'list']],
    [['--json', 'config', 'inputs', 'list']],
    [['config', '--json', 'inputs', 'list']],
  ])('%j', async (words) => {
    const cwd = folderWith({ 'mcp.json': { mcpServers: {} } })

    const { code, stdout } = await run(words, { cwd, env: { PARLEY_STATE: folderWith({}) } })

    expect(code).toBe(0)
    JSON.parse(stdout)
  })
})

test.each([['--json'], ['--quiet'], ['--no-color']])('completion takes no %s', async (flag) => {
  const { code, stderr } = await run(['completion', 'bash', flag])

  expect(code).toBe(1)
  expect(stderr).toContain(`does not take ${flag}: what it prints is always the same`)
})

test.each([
  ['--header', 'A: b'],
  ['-e', 'A=b'],
  ['--cwd', '/'],
])('inspect without a server has no use for %s', async (flag, value) => {
  const { code, stderr } = await run(['inspect', '--no-open', flag, value])

  expect(code).toBe(1)
  expect(stderr).toContain(`${flag} applies to one server`)
})
