import { join } from 'node:path'

import { loadConfig } from '@parley/foundation/config'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

/** As the documentation of the protocol shows it. */
const filesystem = {
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-filesystem', '/Users/username/Desktop'],
}
const memory = {
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-memory'],
  env: { MEMORY_FILE_PATH: '/path/to/memory.json' },
}

async function load(text: unknown, name = 'mcp.json') {
  const folder = folderWith({ [name]: text })
  return loadConfig({ files: [join(folder, name)], cwd: folder, home: folder, env: {} })
}

test('reads the servers under mcpServers, by name [CFG-01]', async () => {
  const { entries, problems } = await load({ mcpServers: { filesystem, memory } })

  expect(entries.map(({ name }) => name)).toEqual(['filesystem', 'memory'])
  expect(problems).toEqual([])
})

test('reads command, args and env, of which only the first is needed [CFG-02]', async () => {
  const { entries } = await load({ mcpServers: { memory, bare: { command: 'server' } } })

  expect(entries.map(({ target }) => target)).toEqual([
    { kind: 'command', ...memory, inheritEnv: 'minimal' },
    { kind: 'command', command: 'server', args: [], env: {}, inheritEnv: 'minimal' },
  ])
})

test('takes servers on the network by url, headers and type [CFG-06]', async () => {
  const { entries, problems } = await load({
    mcpServers: {
      plain: { url: 'https://example.com/mcp' },
      old: { type: 'sse', url: 'https://example.com/sse', headers: { 'x-team': 'blue' } },
      socket: { type: 'websocket', url: 'wss://example.com' },
    },
  })

  expect(problems).toEqual([])
  expect(entries.map(({ target }) => target)).toEqual([
    { kind: 'url', type: undefined, url: 'https://example.com/mcp', headers: {} },
    { kind: 'url', type: 'sse', url: 'https://example.com/sse', headers: { 'x-team': 'blue' } },
    { kind: 'url', type: 'ws', url: 'wss://example.com', headers: {} },
  ])
})

test('tells what is wrong with each entry and keeps the others [CFG-05]', async () => {
  const { entries, problems } = await load(`{
  "mcpServers": {
    "good": { "command": "node" },
    "empty": {},
    "number": { "command": 5 },
    "args": {
      "command": "node",
      "args": "server.js"
    },
    "both": { "command": "node", "url": "https://example.com" },
    "ftp": { "url": "ftp://example.com" },
    "text": "node server.js",
    "last": { "url": "https://example.com/mcp" }
  }
}`)

  expect(entries.map(({ name }) => name)).toEqual(['good', 'last'])
  expect(problems.map(({ server, line, key, message }) => [server, line, key, message])).toEqual([
    ['empty', 4, 'mcpServers.empty.command', 'has no command'],
    ['number', 5, 'mcpServers.number.command', 'must be a string: 5'],
    ['args', 8, 'mcpServers.args.args', 'must be a list: "server.js"'],
    ['both', 10, 'mcpServers.both.url', 'has both a command and a url'],
    ['ftp', 11, 'mcpServers.ftp.url', 'is not a URL to connect to: ftp://example.com'],
    ['text', 12, 'mcpServers.text', 'must be an object'],
  ])
  expect(problems.every(({ fix, level }) => fix !== undefined && level === 'error')).toBe(true)
})

test('reads on after broken JSON, leaving out the entry it is in [CFG-05]', async () => {
  const { entries, problems } = await load(`{
  "mcpServers": {
    "first": { "command": "node" },
    "broken": { "command": "node" "args": [] },
    "last": { "command": "node" }
  }
}`)

  expect(entries.map(({ name }) => name)).toEqual(['first', 'last'])
  expect(problems).toMatchObject([{ line: 4, message: 'syntax: comma expected' }])
})

test('says that a file which was named is not there, and reads the others [CFG-05]', async () => {
  const folder = folderWith({ 'mcp.json': { mcpServers: { memory } } })

  const { entries, problems } = await loadConfig({
    files: ['missing.json', 'mcp.json'],
    cwd: folder,
  })

  expect(entries).toHaveLength(1)
  expect(problems).toMatchObject([{ level: 'error', message: 'does not exist' }])
})

test('finds the files of the project and of the user, the nearer first [CFG-07]', async () => {
  const cwd = folderWith({
    'mcp.json': { mcpServers: { near: memory, shared: memory } },
    '.mcp.json': { mcpServers: { code: memory } },
    '.vscode/mcp.json': { servers: { editor: { type: 'stdio', command: 'node' } } },
    '.cursor/mcp.json': { mcpServers: { cursor: { url: 'https://example.com' } } },
    '.codex/config.toml': '[mcp_servers.codex]\ncommand = "node"\n',
  })
  const home = folderWith({
    '.config/parley/mcp.yaml': 'mcpServers:\n  far:\n    command: node\n',
    '.config/Claude/claude_desktop_config.json': { mcpServers: { shared: filesystem } },
    '.config/Code/User/mcp.json': { servers: { profile: { command: 'node' } } },
    '.mcp-inspector/mcp.json': {
      mcpServers: { inspected: { command: 'node', protocolEra: 'legacy' } },
    },
    '.codex/config.toml': '[mcp_servers.own]\ncommand = "node"\n',
    '.claude.json': {
      mcpServers: { everywhere: { command: 'node' } },
      projects: {
        [cwd]: { mcpServers: { here: { command: 'node' } } },
        '/elsewhere': { mcpServers: { hidden: { command: 'node' } } },
      },
    },
  })

  const { entries, problems } = await loadConfig({ cwd, home, env: {}, platform: 'linux' })

  expect(problems).toEqual([])
  expect(
    entries.map(({ name, source: { scope, format } }) => `${name} ${scope} ${format}`),
  ).toEqual([
    'near project parley',
    'shared project parley',
    'code project claude-code',
    'editor project vscode',
    'cursor project cursor',
    'codex project codex',
    'far user parley',
    'here user claude-code',
    'everywhere user claude-code',
    'shared user claude-desktop',
    'profile user vscode',
    'inspected user inspector',
    'own user codex',
  ])
  expect(entries.find(({ name }) => name === 'inspected')?.settings.era).toBe('legacy')
})

test.each([
  ['darwin', 'Library/Application Support/Claude/claude_desktop_config.json'],
  ['win32', 'AppData/Roaming/Claude/claude_desktop_config.json'],
] as const)('knows where %s keeps settings', async (platform, file) => {
  const home = folderWith({ [file]: { mcpServers: { memory } } })

  const { entries } = await loadConfig({ cwd: folderWith({}), home, env: {}, platform })

  expect(entries.map(({ name }) => name)).toEqual(['memory'])
})

test('reads comments, trailing commas and a byte order mark', async () => {
  const { entries, problems } = await load(
    '\uFEFF{ // servers\n "mcpServers": { "a": { "command": "node", }, }, /* end */ }',
  )

  expect(problems).toEqual([])
  expect(entries).toHaveLength(1)
})

test('reads YAML, with the line of what is wrong', async () => {
  const { entries, problems } = await load(
    'mcpServers:\n  one:\n    command: node\n    args: [a, 1]\n  two:\n    args: []\n',
    'mcp.yaml',
  )

  expect(entries.map(({ target }) => target)).toMatchObject([{ args: ['a', '1'] }])
  expect(problems).toMatchObject([{ server: 'two', line: 5, message: 'has no command' }])
})

test('reads TOML as Codex writes it, with the environment as variables [CFG-06]', async () => {
  const { entries, problems } = await load(
    `model = "any"
[mcp_servers.files]
command = "npx"
args = [ "-y",
  "server", 1 ]
env_vars = ["HOME_PAGE"]
startup_timeout_sec = 2.5
enabled = false
[mcp_servers.files.env]
LEVEL = "[mcp_servers.wrong]"
[mcp_servers."on the net"]
url = "https://example.com/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { x-team = "blue" }
env_http_headers = { x-key = "KEY" }
tool_timeout_sec = 60
`,
    'config.toml',
  )

  expect(problems).toEqual([])
  expect(entries.map(({ source }) => source.line)).toEqual([2, 11])
  expect(entries).toMatchObject([
    {
      name: 'files',
      target: {
        command: 'npx',
        args: ['-y', 'server', '1'],
        env: { LEVEL: '[mcp_servers.wrong]' },
        inheritEnv: ['HOME_PAGE'],
      },
      settings: { connectMs: 2500, isDisabled: true },
    },
    {
      name: 'on the net',
      target: {
        headers: { Authorization: 'Bearer ${env:TOKEN}', 'x-team': 'blue', 'x-key': '${env:KEY}' },
      },
      settings: { requestMs: 60_000 },
    },
  ])
})

test('tells the line of what is wrong in TOML, and the column of broken syntax', async () => {
  const text = `title = """
[mcp_servers.two]
"""
[mcp_servers.one]
command = "node"
[mcp_servers.two]
args = []
[mcp_servers.three]
command = "node"
http_headers = 5
[mcp_servers.four]
command = "node"
env = { A = [] }
`
  const { entries, problems } = await load(text, 'config.toml')
  expect(entries.map(({ name }) => name)).toEqual(['one', 'three'])
  expect(problems).toMatchObject([
    { server: 'two', line: 6, message: 'has no command' },
    { server: 'four', line: 13, key: 'mcp_servers.four.env.A', message: 'must be a string: []' },
  ])

  const broken = await load(`${text}[mcp_servers.five]\ncommand = node\n`, 'config.toml')
  expect(broken.entries).toEqual([])
  expect(broken.problems).toMatchObject([
    { line: 15, message: expect.stringMatching(/^syntax: .+ \(column 11\)$/) as string },
  ])
})

test.each([
  ['lists', 'config.toml', `a = ${'['.repeat(20_000)}`],
  ['tables', 'config.toml', `a = ${'{ a = '.repeat(20_000)}`],
  ['dotted names', 'config.toml', `${'a.'.repeat(20_000)}a = 1`],
  ['dotted tables', 'config.toml', `[${'a.'.repeat(20_000)}a]`],
  ['lists', 'mcp.json', '['.repeat(20_000)],
  ['objects', 'mcp.json', '{"a":'.repeat(20_000)],
  ['lists after as many ends', 'mcp.json', ']'.repeat(20_000) + '['.repeat(20_000)],
  ['lists', 'mcp.yaml', '['.repeat(20_000)],
  ['items', 'mcp.yaml', '- '.repeat(20_000)],
])('%s in %s, nested without end, are a problem and no crash', async (_, name, text) => {
  const { entries, problems } = await load(text, name)

  expect(entries).toEqual([])
  expect(problems).toMatchObject([{ level: 'error', line: 1 }])
})

test('names of TOML are only names, however many there are', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => `[mcp_servers.s${at}]\ncommand = "x"\n`)
  const odd =
    '[mcp_servers.__proto__]\ncommand = "node"\n[mcp_servers.constructor]\ncommand = "x"\n'
  const { entries, problems } = await load(odd + many.join(''), 'config.toml')

  expect(problems).toEqual([])
  expect(entries).toHaveLength(2_002)
  expect(entries[0]).toMatchObject({ name: '__proto__', target: { command: 'node' } })
  expect(Object.getPrototypeOf({})).not.toHaveProperty('command')
})

test('an entry that is there twice counts once, with a warning', async () => {
  const { entries, problems } = await load(
    '{"mcpServers":{"a":{"command":"one"},"a":{"command":"two"}}}',
  )

  expect(entries.map(({ target }) => target)).toMatchObject([{ command: 'two' }])
  expect(problems).toMatchObject([{ level: 'warning', server: 'a' }])
})

test('a server called __proto__ is only a name', async () => {
  const { entries } = await load('{"mcpServers":{"__proto__":{"command":"node"}}}')

  expect(entries.map(({ name }) => name)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf({})).not.toHaveProperty('command')
})

test('keeps what it does not know, and reads what is ours', async () => {
  const { entries } = await load({
    mcpServers: {
      one: {
        command: 'node',
        era: '2025-06-18',
        timeout: { connect: 1_000, request: 2_000, max: 3_000 },
        roots: ['/a', { uri: 'file:///b' }],
        tags: ['work'],
        disabled: true,
        oauth: { clientId: 'id', scope: 'a b' },
        sandbox: { network: false },
      },
    },
  })

  expect(entries[0]?.settings).toEqual({
    era: '2025-06-18',
    connectMs: 1_000,
    requestMs: 2_000,
    maxMs: 3_000,
    roots: ['/a', 'file:///b'],
    tags: ['work'],
    isDisabled: true,
    oauth: { clientId: 'id', clientSecret: undefined, scopes: ['a', 'b'] },
  })
  expect(entries[0]?.raw['sandbox']).toEqual({ network: false })
})

test.each([
  ['comand', 'Write "command" instead of "comand".'],
  ['cmd', 'Write "command" instead of "cmd".'],
  ['uri', 'Write "url" instead of "uri".'],
])('knows what %s was meant to be', async (key, fix) => {
  const { problems } = await load({ mcpServers: { one: { [key]: 'x' } } })

  expect(problems).toMatchObject([{ fix }])
})

test('warns of a command line that no shell will split', async () => {
  const { entries, problems } = await load({ mcpServers: { one: { command: 'npx -y server' } } })

  expect(entries).toHaveLength(1)
  expect(problems[0]?.fix).toBe('Write "command": "npx", "args": ["-y","server"].')
})

test('refuses questions that would run commands of an editor [CFG-09]', async () => {
  const { entries, problems } = await load({
    inputs: [
      { type: 'command', id: 'run', command: 'rm' },
      { type: 'pickString', id: 'none', options: [] },
      { type: 'promptString', id: 'ok' },
      { type: 'promptString', id: 'ok' },
    ],
    servers: { one: { command: 'node' } },
  })

  expect([...(entries[0]?.inputs.keys() ?? [])]).toEqual(['ok'])
  expect(problems.map(({ message }) => message)).toEqual([
    'run asks for an editor command to be run, which is not supported',
    'has no options to pick from',
    'is defined twice: ok',
  ])
})
