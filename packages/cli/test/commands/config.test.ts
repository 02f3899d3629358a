import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { run } from '../run.ts'

const files = {
  'mcp.json': `{
  // ours
  "mcpServers": {
    "good": { "command": "node", "args": ["/srv/server.js"], "env": { "API_KEY": "sk-secret-1" } },
    "remote": { "url": "https://example.com/mcp", "headers": { "Authorization": "Bearer abcdefgh" } },
    "asks": { "command": "node", "args": ["\${input:region}"] },
    "broken": { "args": [] }
  },
  "inputs": [
    { "type": "pickString", "id": "region", "description": "Where", "options": ["eu", "us"] },
    { "type": "promptString", "id": "token", "description": "A token", "password": true }
  ]
}
`,
}

test('list shows every server with its file and line, and no secret', async () => {
  const cwd = folderWith(files)

  const shown = await run(['config', 'list'], { cwd })
  const { stdout } = await run(['config', 'list', '--json'], { cwd })

  expect(shown.stdout).toMatch(/^good +node \/srv\/server\.js +Parley +mcp\.json:4$/m)
  expect(shown.stderr).toContain('1 problem; see parley config check.')
  expect(shown.stdout + stdout).not.toMatch(/sk-secret|abcdefgh/)
  expect(JSON.parse(stdout)).toMatchObject({
    servers: [{ name: 'good', line: 4, scope: 'project' }, { name: 'remote' }, { name: 'asks' }],
    problems: [{ server: 'broken', line: 7 }],
  })
})

test('check names file, line and cure, and ends with 6', async () => {
  const cwd = folderWith(files)

  const { code, stdout } = await run(['config', 'check'], { cwd })
  const answered = await run(['config', 'check', '--input', 'region=eu', '--json'], { cwd })

  expect(code).toBe(6)
  expect(stdout).toContain('mcp.json:7: error: broken.command has no command\n    Add "command"')
  expect(stdout).toContain('mcp.json:6: error: asks')
  expect(stdout).toContain('Set MCP_INPUT_REGION, or say --input region=…')
  expect((JSON.parse(answered.stdout) as { problems: unknown[] }).problems).toHaveLength(1)
})

test('export writes what another program reads; secrets become variables', async () => {
  const cwd = folderWith(files)

  const { code, stdout, stderr } = await run(
    ['config', 'export', 'good', 'remote', '--to', 'vscode'],
    { cwd },
  )
  const kept = await run(['config', 'export', 'good', '--to', 'cursor', '--unmask'], { cwd })

  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    servers: {
      good: {
        type: 'stdio',
        command: 'node',
        args: ['/srv/server.js'],
        env: { API_KEY: '${env:API_KEY}' },
      },
      remote: {
        type: 'http',
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer ${env:REMOTE_AUTHORIZATION}' },
      },
    },
  })
  expect(stderr).toContain('good: the value of API_KEY is not copied')
  expect(kept.stdout).toContain('sk-secret-1')
})

test('import shows the difference, and writes only when told to', async () => {
  const cwd = folderWith({
    'other/claude_desktop_config.json': { mcpServers: { time: { command: 'time-server' } } },
    'mcp.json': '{\n  // mine\n  "mcpServers": {\n    "old": { "command": "x" }\n  }\n}\n',
  })
  const words = ['config', 'import', '--config', 'other/claude_desktop_config.json']

  const rejected = await run(words, { cwd })
  const before = readFileSync(join(cwd, 'mcp.json'), 'utf8')
  const asked = await run(words, { cwd, isTTY: true, input: 'n\n' })
  const written = await run([...words, '--yes'], { cwd })

  expect(rejected).toMatchObject({ code: 3 })
  expect(rejected.stdout).toContain('+    "time": {')
  expect(before).not.toContain('time')
  expect(asked).toMatchObject({ code: 1 })
  expect(written).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'mcp.json'), 'utf8')).toBe(
    '{\n  // mine\n  "mcpServers": {\n    "old": { "command": "x" },\n    "time": {\n      "command": "time-server"\n    }\n  }\n}\n',
  )
})

test('import writes YAML too, questions included', async () => {
  const cwd = folderWith({ ...files, 'mine.yaml': '# mine\nmcpServers: {}\n' })

  const { code } = await run(['config', 'import', 'asks', '-o', 'mine.yaml', '--yes'], { cwd })
  const { stdout } = await run(['config', 'list', '--config', 'mine.yaml', '--json'], { cwd })

  expect(code).toBe(0)
  expect(readFileSync(join(cwd, 'mine.yaml'), 'utf8')).toContain('# mine')
  expect(JSON.parse(stdout)).toMatchObject({ servers: [{ name: 'asks' }], problems: [] })
})

test('servers of TOML are copied, and TOML is written for Codex alone', async () => {
  const cwd = folderWith({ '.codex/config.toml': '[mcp_servers.time]\ncommand = "time-server"\n' })

  const taken = await run(['config', 'import', '--from', 'codex', '--yes'], { cwd })
  const target = await run(['config', 'import', 'time', '-o', 'mine.toml', '--yes'], { cwd })
  const format = await run(['config', 'export', 'time', '--to', 'codex'], { cwd })
  const named = await run(['info', '.codex/config.toml'], { cwd })

  expect(taken).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(join(cwd, 'mcp.json'), 'utf8'))).toEqual({
    mcpServers: { time: { command: 'time-server' } },
  })
  expect(target).toMatchObject({ code: 1 })
  expect(target.stderr).toContain('is TOML, which only Codex uses')
  expect(format).toMatchObject({
    code: 0,
    stdout: '[mcp_servers.time]\ncommand = "time-server"\n',
  })
  expect(named.stderr).toContain('time-server')
})

test('inputs are listed, answered and forgotten', async () => {
  const cwd = folderWith(files)
  const env = { PARLEY_STATE: folderWith({}), MCP_SECRET_KEY: 'words' }

  await run(['config', 'inputs', 'set', 'region', 'us'], { cwd, env })
  await run(['config', 'inputs', 'set', 'token'], { cwd, env, input: 'hunter2\n' })
  const listed = await run(['config', 'inputs', 'list', '--json'], { cwd, env })
  const wrong = await run(['config', 'inputs', 'set', 'region', 'mars'], { cwd, env })
  await run(['config', 'inputs', 'clear', 'region'], { cwd, env })
  const cleared = await run(['config', 'inputs', 'list'], { cwd, env })

  expect(JSON.parse(listed.stdout)).toMatchObject({
    inputs: [
      { id: 'region', isAnswered: true, variable: 'MCP_INPUT_REGION' },
      { id: 'token', isAnswered: true },
    ],
  })
  expect(wrong).toMatchObject({ code: 1 })
  expect(cleared.stdout).toMatch(/^region +open/m)
  expect(cleared.stdout).toMatch(/^token +answered/m)
  expect(listed.stdout + cleared.stdout).not.toContain('hunter2')
})

test('a secret is not taken where it would be lost', async () => {
  const env = { PARLEY_STATE: folderWith({}) }

  const { code, stderr } = await run(['config', 'inputs', 'set', '--secret', 'github', 'x'], {
    env,
  })

  expect(code).toBe(1)
  expect(stderr).toContain('MCP_SECRET_KEY')
})

test('a subcommand that there is not is named, with the one that was meant', async () => {
  const { code, stderr } = await run(['config', 'lst'])

  expect(code).toBe(1)
  expect(stderr).toContain("unknown command 'lst'")
  expect(stderr).toContain('Did you mean list?')
})
