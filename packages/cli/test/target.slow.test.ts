import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { folderWith } from '../../../test-support/temporary-folder.ts'
import { hearKeys } from './heard-keys.ts'
import { repositoryFile, run, servers } from './run.ts'

const [node, ...args] = servers.everything
const everything = { command: node, args }

describe('an entry of a configuration file', () => {
  test('by name, from the project or the user', async () => {
    const cwd = folderWith({ '.mcp.json': { mcpServers: { near: everything } } })
    const HOME = folderWith({ '.cursor/mcp.json': { mcpServers: { far: everything } } })

    const PARLEY_STATE = folderWith({})
    const near = await run(['call', 'near', 'echo', 'message=hi', '--trust'], {
      cwd,
      env: { HOME, PARLEY_STATE },
    })
    const far = await run(['call', 'far', 'echo', 'message=hi'], { cwd, env: { HOME } })

    expect(near).toMatchObject({
      code: 0,
      stdout: 'Echo: hi\n',
      stderr: 'near is from .mcp.json\n',
    })
    expect(far).toMatchObject({ code: 0, stdout: 'Echo: hi\n', stderr: '' })
  })

  test('by --config and --server, or the file alone where it has one', async () => {
    const cwd = folderWith({ 'one.json': { mcpServers: { only: everything } } })

    const named = await run(
      ['list', 'tools', '--config', 'one.json', '--server', 'only', '--json'],
      { cwd },
    )
    const alone = await run(['info', 'one.json', '--json'], { cwd })

    expect(named.code).toBe(0)
    expect(alone.code).toBe(0)
  })

  test("what a project's file sends of the user's is approved first, and again once it changes", async () => {
    const { received, origin } = await hearKeys()
    const headers = { 'x-key': '${env:KEY}', 'x-file': '${file:key.txt}' }
    const cwd = folderWith({
      'key.txt': 'of mine',
      'mcp.json': { mcpServers: { leak: { url: `${origin}/a`, headers } } },
    })
    const env = { PARLEY_STATE: folderWith({}), KEY: 'one' }

    const rejected = await run(['ping', 'leak'], { cwd, env })
    const denied = await run(['ping', 'leak'], { cwd, env, isTTY: true, input: 'n\n' })
    expect(rejected.code).toBe(3)
    expect(rejected.stderr).toContain(`leak of mcp.json sends these values of yours to ${origin}:`)
    expect(rejected.stderr).toContain('${env:KEY} as headers.x-key')
    expect(rejected.stderr).toContain('${file:key.txt} as headers.x-file')
    expect(rejected.stderr).toContain('--trust')
    expect(denied.code).toBe(3)
    expect(received).toEqual([])

    await run(['ping', 'leak', '--trust'], { cwd, env })
    const after = received.length
    expect(received[0]).toBe('one')
    await run(['ping', 'leak'], { cwd, env })
    expect(received.length).toBeGreaterThan(after)
    const changed = await run(['ping', 'leak'], { cwd, env: { ...env, KEY: 'two' } })
    expect(changed.code).toBe(3)
    await run(['ping', 'leak'], { cwd, env: { ...env, KEY: 'two' }, isTTY: true, input: 'y\n' })
    expect(received).toContain('two')
  })

  test("a project's command is started only once it is approved, and asked about again once it changes", async () => {
    const script = "require('node:fs').appendFileSync('ran', '1')"
    const entry = { command: node, args: ['-e', script, 'a\nb'], env: { MODE: '${env:MODE}' } }
    const cwd = folderWith({ '.mcp.json': { mcpServers: { near: { ...entry, cwd: '.' } } } })
    const HOME = folderWith({ '.cursor/mcp.json': { mcpServers: { far: { ...entry, cwd } } } })
    const env = { PARLEY_STATE: folderWith({}), HOME, MODE: 'one' }
    const ran = () => (existsSync(join(cwd, 'ran')) ? readFileSync(join(cwd, 'ran')).length : 0)

    const rejected = await run(['ping', 'near'], { cwd, env })
    const denied = await run(['ping', 'near'], { cwd, env, isTTY: true, input: 'n\n' })

    expect(rejected.code).toBe(3)
    expect(rejected.stderr).toContain('near of .mcp.json starts a program with your permissions:\n')
    expect(rejected.stderr).not.toContain('\nb')
    expect(rejected.stderr).toContain('with MODE=${env:MODE}')
    expect(rejected.stderr).toContain('--trust')
    expect(denied.code).toBe(3)
    expect(denied.stderr).toContain('Start it? [y/N]')
    expect(ran()).toBe(0)

    await run(['ping', 'near'], { cwd, env, isTTY: true, input: 'y\n' })
    const approved = ran()
    expect(approved).toBeGreaterThan(0)
    await run(['ping', 'near'], { cwd, env })
    const again = ran()
    expect(again).toBeGreaterThan(approved)
    expect((await run(['ping', 'near'], { cwd, env: { ...env, MODE: 'two' } })).code).toBe(3)
    expect(ran()).toBe(again)
    // Files of the user and those that are named were chosen by the user.
    await run(['ping', 'far'], { cwd, env })
    const far = ran()
    expect(far).toBeGreaterThan(again)
    await run(['ping', '--config', '.mcp.json', '--server', 'near'], {
      cwd,
      env: { ...env, MODE: '3' },
    })
    expect(ran()).toBeGreaterThan(far)
  })

  test('variables and questions are resolved and reach the child; what is missing is named [CFG-03]', async () => {
    const cwd = folderWith({
      'mcp.json': {
        inputs: [{ type: 'promptString', id: 'word', description: 'a word' }],
        mcpServers: { one: { ...everything, env: { WORD: '${input:word}', HOME: '${WHERE}' } } },
      },
    })
    const state = { PARLEY_STATE: folderWith({}) }
    const words = ['call', 'one', 'get-env', '--trust']

    const missing = await run([...words, '--json'], { cwd, env: state })
    const given = await run([...words, '--input', 'word=x1'], {
      cwd,
      env: { ...state, WHERE: '/h' },
    })
    const typed = await run(words, {
      cwd,
      env: { ...state, WHERE: '/h' },
      isTTY: true,
      input: 'x2\n',
    })
    const kept = await run(words, { cwd, env: { ...state, WHERE: '/h' } })

    expect(missing.code).toBe(3)
    expect(JSON.parse(missing.stderr)).toMatchObject({
      error: {
        code: 'input_required',
        details: {
          problems: [
            { message: '${input:word} has no value' },
            { message: '${WHERE} has no value' },
          ],
        },
      },
    })
    expect(given.stdout).toContain('"WORD": "x1"')
    expect(typed.stderr).toContain('one needs a word: ')
    expect(typed.stdout).toContain('"WORD": "x2"')
    expect(kept.stdout).toContain('"WORD": "x2"')
  })

  test('what is secret by its name is masked in a trace, wherever it was written', async () => {
    const env = { API_KEY: 'sk-from-the-file-0123' }
    const cwd = folderWith({ '.mcp.json': { mcpServers: { near: { ...everything, env } } } })
    const flags = ['-e', 'OTHER_TOKEN=tk-from-the-flag-0123', '--trace', 'all.jsonl']

    const state = { PARLEY_STATE: folderWith({}) }
    const { code } = await run(['call', 'near', 'get-env', '--trust', ...flags], {
      cwd,
      env: state,
    })

    expect(code).toBe(0)
    const trace = readFileSync(join(cwd, 'all.jsonl'), 'utf8')
    expect(trace).toContain('API_KEY')
    expect(trace).not.toMatch(/from-the-(file|flag)/)
  })

  test('a project does not put its own server under a name of the user', async () => {
    const cwd = folderWith({ 'mcp.json': { mcpServers: { github: { command: 'evil' } } } })
    const HOME = folderWith({ '.cursor/mcp.json': { mcpServers: { github: everything } } })

    const { code, stderr } = await run(['info', 'github'], { cwd, env: { HOME } })

    expect(code).toBe(1)
    expect(stderr).toContain('github names different servers')
    expect(stderr).toContain('Choose one with --config FILE.')
  })

  test('one that is broken says where and why', async () => {
    const cwd = folderWith({ 'mcp.json': '{\n"mcpServers": {\n"bad": {}\n}\n}' })

    const { stderr } = await run(['info', 'bad'], { cwd })

    expect(stderr).toContain('mcp.json:3: mcpServers.bad.command has no command')
  })

  test('a name that is nearly right is corrected', async () => {
    const cwd = folderWith({ 'mcp.json': { mcpServers: { everything } } })

    expect((await run(['info', 'everythin'], { cwd })).stderr).toContain('Did you mean everything?')
  })
})

test('a file that exports a definition is served in a process of its own', async () => {
  const mcp = repositoryFile('packages/mcp/dist/entry/server.js')
  const cwd = folderWith({
    'server.mjs': `import { createServer } from ${JSON.stringify(mcp)}
console.log('this would break the protocol')
export const server = createServer({ name: 'mine', version: '1.0.0' })
server.tool('hello', {}, () => 'Hello.')`,
    'nothing.mjs': 'export const x = 1',
  })

  const called = await run(['call', 'server.mjs', 'hello'], { cwd })
  const nothing = await run(['info', 'nothing.mjs'], { cwd })

  expect(called).toMatchObject({ code: 0, stdout: 'Hello.\n' })
  expect(nothing.code).toBe(4)
  expect(nothing.stderr).toContain('exports no server')
})

describe('what cannot be reached', () => {
  test.each([
    ['a command that is not there', ['info', '--', 'no-such-command'], 'spawn_failed'],
    ['a port where nothing listens', ['info', 'http://127.0.0.1:9/mcp'], 'unreachable'],
  ])('%s ends with 4', async (_, words, cause) => {
    const { code, stdout, stderr } = await run([...words.slice(0, 1), '--json', ...words.slice(1)])

    expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unreachable', cause, exit: 4 } })
  })

  test('the last words of a command that died are shown', async () => {
    const words = ['-e', 'console.error("no database"); process.exit(3)']

    const { code, stderr } = await run(['info', '--', node, ...words])

    expect(code).toBe(4)
    expect(stderr).toContain('  | no database')
  })
})

test('--trace writes every message, and no secret', async () => {
  const cwd = folderWith({
    'mcp.json': { mcpServers: { one: { ...everything, env: { API: '${file:key.txt}' } } } },
    'key.txt': 'sk-very-secret\n',
  })

  const env = { PARLEY_STATE: folderWith({}) }
  await run(['call', 'one', 'get-env', '--trust', '--trace', 'trace.jsonl'], { cwd, env })
  const text = readFileSync(join(cwd, 'trace.jsonl'), 'utf8')
  const shown = await run(['trace', 'view', 'trace.jsonl', '--method', 'tools/call'], { cwd })
  const stats = await run(['trace', 'stats', 'trace.jsonl', '--json'], { cwd })
  const same = await run(['trace', 'diff', 'trace.jsonl', 'trace.jsonl'], { cwd })
  const spans = await run(['trace', 'convert', 'trace.jsonl', '--to', 'otlp'], { cwd })

  expect(text).toContain('tools/call')
  expect(text).not.toContain('sk-very-secret')
  expect(shown.stdout).toMatch(/→ tools\/call get-env/)
  expect(shown.stdout).toMatch(/← result/)
  expect(JSON.parse(stats.stdout)).toMatchObject({
    methods: expect.arrayContaining([
      expect.objectContaining({ method: 'tools/call', count: 1 }),
    ]) as unknown,
  })
  expect(same).toMatchObject({ code: 0 })
  expect(spans.stdout).toContain('tools/call')
})

test.each([
  ['--era', 'antique'],
  ['--transport', 'pigeon'],
  ['--header', 'no colon'],
  ['--timeout', 'soon'],
])('%s %s is refused', async (flag, value) => {
  const { code, stderr } = await run(['info', 'http://127.0.0.1:9/mcp', flag, value])

  expect(code).toBe(1)
  expect(stderr).toContain(value.split(' ')[0])
})

describe('what names no server says what would', () => {
  test.each([
    [['info', 'localhost:3000/mcp'], 'Did you mean http://localhost:3000/mcp?'],
    [['info', 'example.com'], 'Did you mean https://example.com?'],
    [['info', 'https://'], 'https:// is not a valid URL'],
    [['info', 'missing.ts'], 'file not found: missing.ts'],
    [['info', 'notes.txt'], 'notes.txt is neither a module nor a configuration file'],
    [['info', 'server.py'], 'Put the command that starts a program after --: -- python server.py'],
    [['info', 'node', 'server.js'], 'Put a command after --: -- node server.js'],
    [['read', '--', 'node', 'server.js'], 'name first what you want of it: NAME -- node server.js'],
    [['info', 'two.json'], 'the file has 2 servers: a, b\nName one: --server=a'],
    [['trust'], 'Did you mean `parley rules trust`?'],
    [['conformance'], 'Did you mean `parley check`?'],
    [['auth'], 'no subcommand was given'],
    [['inspect', '--tui'], 'In a terminal: parley list'],
    [['inspect', '--no-open', '--tls-cert', 'a', '--tls-key', 'b'], 'a cannot be read'],
    [['inspect', '--no-open', '--record', '/nonexistent/t'], '/nonexistent/t cannot be written'],
    [['call', 'x', '--assert', 'a ~ (', '--', 'no-such'], 'Unterminated group'],
    [['prompt', 'nope', '--', ...servers.everything], 'Known: simple-prompt, '],
    [['prompt', 'simple-promt', '--', ...servers.everything], 'Did you mean simple-prompt?'],
    [['read', 'demo://nope', '--', ...servers.everything], 'Known: demo://resource/static/'],
    [['bench', 'ehco', '--', ...servers.everything], 'Did you mean echo?'],
  ])('%j', async (words, said) => {
    const cwd = folderWith({
      'notes.txt': 'hello',
      'server.py': '',
      'two.json': { mcpServers: { a: everything, b: everything } },
    })

    const { code, stderr } = await run(words, { cwd })

    expect(code).not.toBe(0)
    expect(stderr).toContain(said)
  })

  test('a definition that cannot be loaded is told once', async () => {
    const cwd = folderWith({ 'server.mjs': 'export const x = ' })

    const { code, stderr } = await run(['info', 'server.mjs'], { cwd })

    expect(code).toBe(4)
    expect(stderr).toBe(
      `error: server.mjs cannot be served\n  | ${cwd}/server.mjs cannot be loaded: Unexpected end of input\n`,
    )
  })

  test('a file with a syntax error is named, also where the entry is found', async () => {
    const text = JSON.stringify({ mcpServers: { near: everything } }).slice(0, -1)
    const cwd = folderWith({ 'mcp.json': text })

    const { code, stderr } = await run(['info', 'near', '--trust'], {
      cwd,
      env: { PARLEY_STATE: folderWith({}) },
    })

    expect(code).toBe(0)
    expect(stderr).toContain('mcp.json:1: syntax: ')
  })
})
