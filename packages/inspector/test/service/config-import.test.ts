import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { openPage } from './page-client.ts'

async function open(options: { readonly noSpawn?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-config-'))
  const env = { TOKEN: 'a-token-of-mine' }
  const page = await openPage({
    ...options,
    configPlaces: { cwd: folder, home: folder, env, platform: 'linux' },
  })
  onTestFinished(() => page[Symbol.asyncDispose]())
  return { page, folder }
}

test.each([
  ['JSON', '{ "mcpServers": { "a": { "command": "x", "args": ["y"] } } }'],
  ['JSON with comments', '{ // mine\n "servers": { "a": { "command": "x", "args": ["y"] }, } }'],
  ['YAML', 'mcpServers:\n  a:\n    command: x\n    args: [y]\n'],
  ['TOML', '# Codex\n[mcp_servers.a]\ncommand = "x"\nargs = ["y"]\n'],
  ['the servers alone', '{ "a": { "command": "x", "args": ["y"] } }'],
  ['one server without braces', '"a": { "command": "x", "args": ["y"] },'],
  ['servers alone in YAML', 'a:\n  command: x\n  args: [y]\n'],
])('a pasted configuration is read: %s [INSP-13]', async (_, text) => {
  const { page } = await open()

  const { servers, problems } = await page.ask('config/read', { text })

  expect(problems).toEqual([])
  expect(servers).toEqual([{ name: 'a', shown: 'x y', reads: [], inputs: [] }])
})

test('what is wrong is said with its line', async () => {
  const { page } = await open()

  const { servers, problems } = await page.ask('config/read', {
    text: '{ "mcpServers": {\n "a": { "comand": "x" },\n "b": { "url": "https://example.com" } } }',
  })

  expect(servers.map(({ name }) => name)).toEqual(['b'])
  expect(problems[0]).toMatch(/^line 2, mcpServers\.a\.command: has no command\. Write "command"/)
})

test('variables and answers are put in by the service, what is read is told before, and nothing is started', async () => {
  const { page } = await open()
  const text = JSON.stringify({
    inputs: [{ type: 'promptString', id: 'user', description: 'Your name' }],
    mcpServers: {
      notes: {
        url: 'https://example.com/${input:user}',
        headers: { Authorization: 'Bearer ${env:TOKEN}' },
      },
    },
  })

  const { servers } = await page.ask('config/read', { text })
  expect(servers[0]).toMatchObject({
    reads: [{ variable: '${env:TOKEN}', key: 'headers.Authorization' }],
    inputs: [{ id: 'user', description: 'Your name', isPassword: false }],
  })
  const from = { text }
  await expect(page.ask('config/add', { from, names: ['notes'] })).rejects.toThrow(
    'config_incomplete',
  )
  await page.ask('config/add', { from, names: ['notes'], answers: { user: 'ada' } })

  const state = await page.ask('state/get', {})
  expect(state.servers).toMatchObject([
    { name: 'notes', state: 'off', entry: { url: 'https://example.com/ada' } },
  ])
  expect(JSON.stringify([state, page.events])).not.toContain('a-token-of-mine')
})

test('files of other applications are found, and only those can be named', async () => {
  const { page, folder } = await open()
  await mkdir(join(folder, '.cursor'))
  const file = join(folder, '.cursor/mcp.json')
  await writeFile(file, '{ "mcpServers": { "other": { "command": "x" } } }')
  const elsewhere = join(folder, 'elsewhere.json')
  await writeFile(elsewhere, '{ "mcpServers": { "hidden": { "command": "x" } } }')

  const found = await page.ask('config/found', {})
  expect(found.map((one) => [one.file, one.format])).toContainEqual([file, 'cursor'])
  const none = await page.ask('config/add', { from: { file: elsewhere }, names: ['hidden'] })
  expect(none.added).toEqual([])
  const some = await page.ask('config/add', { from: { file }, names: ['other'] })
  expect(some.added).toEqual(['other'])
})

test('commands are not taken where none may be started', async () => {
  const { page } = await open({ noSpawn: true })
  const text = '{ "mcpServers": { "a": { "command": "x" } } }'

  const { servers } = await page.ask('config/read', { text })

  expect(servers[0]?.why).toBe('commands are not allowed here')
  await expect(page.ask('config/add', { from: { text }, names: ['a'] })).rejects.toThrow('no_spawn')
})
