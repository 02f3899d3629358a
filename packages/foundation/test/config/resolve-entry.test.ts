import { join } from 'node:path'

import {
  inputVariable,
  loadConfig,
  resolveEntry,
  type ResolveOptions,
} from '@parley/foundation/config'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

const inputs = [
  { type: 'promptString', id: 'api-key', description: 'The key', password: true },
  { type: 'pickString', id: 'region', options: ['eu', 'us'], default: 'eu' },
]

async function resolveFirst(
  server: object,
  options: ResolveOptions = {},
  files: { readonly [path: string]: unknown } = {},
) {
  const folder = folderWith({ 'mcp.json': { inputs, mcpServers: { one: server } }, ...files })
  const { entries, problems } = await loadConfig({ files: [join(folder, 'mcp.json')], cwd: folder })
  const [entry] = entries
  if (entry === undefined) throw new Error(JSON.stringify(problems))
  return {
    folder,
    resolved: await resolveEntry(entry, { env: {}, home: '/home/ada', cwd: '/work', ...options }),
  }
}

test('puts values in place of variables in every field', async () => {
  const env = { KEY: 'k', HOST: 'example.com' }
  const { folder, resolved } = await resolveFirst(
    {
      command: '${userHome}/bin/server',
      args: ['--root', '${workspaceFolder}${/}data', '--region=${input:region}', '${cwd}'],
      env: {
        KEY: '${env:KEY}',
        PLAIN: '${KEY}',
        DEFAULT: '${MISSING:-fallback}',
        NOTE: '${file:note.txt}',
      },
      cwd: '${workspaceFolder}',
      envFile: '${workspaceFolder}/.env',
    },
    { env },
    {
      'note.txt': ' text \n',
      '.env': '# note\nexport FROM_FILE="a\\nb"\nKEY=lower\nSPACED = x # y\n',
    },
  )

  expect(resolved).toMatchObject({
    ok: true,
    entry: {
      command: '/home/ada/bin/server',
      args: ['--root', `${folder}/data`, '--region=eu', '/work'],
      env: {
        KEY: 'k',
        PLAIN: 'k',
        DEFAULT: 'fallback',
        NOTE: 'text',
        FROM_FILE: 'a\nb',
        SPACED: 'x',
      },
      cwd: folder,
    },
  })

  const remote = await resolveFirst(
    { url: 'https://${HOST}/mcp', headers: { authorization: 'Bearer ${env:KEY}' } },
    { env },
  )
  expect(remote.resolved).toMatchObject({
    entry: { url: 'https://example.com/mcp', headers: { authorization: 'Bearer k' } },
  })
})

test('env of the entry reaches the child over what it inherits [CFG-03]', async () => {
  const { resolved } = await resolveFirst({ command: 'node', env: { PATH: '/only', NEW: '1' } })

  expect(resolved).toMatchObject({
    ok: true,
    entry: { env: { PATH: '/only', NEW: '1' }, inheritEnv: 'minimal' },
  })
})

test('never looks at a value again', async () => {
  const { resolved } = await resolveFirst(
    { command: 'node', args: ['${A}', '${A:-${B}}'] },
    { env: { A: '${B}', B: 'secret' } },
  )

  expect(resolved).toMatchObject({ entry: { args: ['${B}', '${A:-secret}'] } })
})

test('names every variable without a value, and sends none of them on', async () => {
  const { resolved } = await resolveFirst({
    url: 'https://example.com/${env:PART}',
    headers: { one: '${ONE} ${config:two}', three: '${workspaceFolder:other}' },
  })

  expect(resolved).toMatchObject({
    ok: false,
    problems: [
      { key: 'url', message: '${env:PART} has no value', server: 'one' },
      { key: 'headers.one', message: '${ONE} has no value' },
      { key: 'headers.one', message: '${config:two} is not known' },
      { key: 'headers.three', message: '${workspaceFolder:other} has no value' },
    ],
  })
})

test('leaves plain variables as they are when told to', async () => {
  const { resolved } = await resolveFirst(
    { command: 'node', args: ['${HOME}', '${env:HOME}'] },
    { env: { HOME: '/h' }, hasPlain: false },
  )

  expect(resolved).toMatchObject({ entry: { args: ['${HOME}', '/h'] } })
})

test('asks each question once, and keeps passwords apart [CFG-09]', async () => {
  const asked: string[] = []
  const { resolved } = await resolveFirst(
    { command: 'node', env: { A: '${input:api-key}', B: 'x${input:api-key}' } },
    {
      ask: async ({ id }) => {
        asked.push(id)
        return 'hunter2'
      },
    },
  )

  expect(asked).toEqual(['api-key'])
  expect(resolved).toMatchObject({
    entry: { env: { A: 'hunter2', B: 'xhunter2' } },
    secrets: ['hunter2'],
  })
})

test('takes answers from the command line, then the environment, then whoever is asked [CFG-09]', async () => {
  const server = { command: 'node', args: ['${input:api-key}'] }
  const env = { MCP_INPUT_API_KEY: 'variable' }
  const ask = async () => 'asked'

  const all = await resolveFirst(server, { env, ask, answers: { 'api-key': 'given' } })
  const two = await resolveFirst(server, { env, ask })
  const none = await resolveFirst(server)

  expect(inputVariable('api-key')).toBe('MCP_INPUT_API_KEY')
  expect(all.resolved).toMatchObject({ entry: { args: ['given'] } })
  expect(two.resolved).toMatchObject({ entry: { args: ['variable'] } })
  expect(none.resolved).toMatchObject({
    ok: false,
    inputs: [{ id: 'api-key' }],
    problems: [{ fix: 'Set MCP_INPUT_API_KEY, or say --input api-key=…' }],
  })
})

test('finds secrets in the store', async () => {
  const { resolved } = await resolveFirst(
    { url: 'https://example.com', headers: { authorization: 'Bearer ${secret:github}' } },
    { secret: async (name) => (name === 'github' ? 'ghp_1' : undefined) },
  )

  expect(resolved).toMatchObject({
    entry: { headers: { authorization: 'Bearer ghp_1' } },
    secrets: ['ghp_1'],
  })
})

test('a file of variables that is missing is an error', async () => {
  const { resolved } = await resolveFirst({ command: 'node', envFile: '.env.local' })

  expect(resolved).toMatchObject({ ok: false, problems: [{ key: 'envFile' }] })
})
