import { join } from 'node:path'

import { type ChatSetupOptions, createChatSetup, readSettings } from '@parley/chat'
import { loadConfig } from '@parley/foundation/config'
import { createScriptedModel } from '@parley/host/models'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { openTalk } from '../talking.ts'
import { createWorkshop, inProcess } from '../workshop.ts'

async function openSetup(
  env: { readonly [name: string]: string } = {},
  own?: ChatSetupOptions['own'],
) {
  const folder = folderWith({
    'claude.json': {
      mcpServers: {
        tools: {
          command: 'tools',
          args: ['--token', 'hunter2secret', 'a b'],
          env: { API_KEY: 'x' },
        },
        web: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer x' } },
        off: { command: 'off', disabled: true },
      },
    },
  })
  const file = join(folder, 'claude.json')
  const chat = await openTalk()
  const setup = createChatSetup(chat, {
    file: join(folder, 'settings.json'),
    load: () => loadConfig({ files: [file] }),
    toServer: ({ name }) => inProcess(name, createWorkshop()),
    openModel: (name) => createScriptedModel('Hi.', { name }),
    env,
    own,
    findLocal: async () => [
      { name: 'ollama/llama3', baseUrl: 'http://127.0.0.1:11434/v1', provider: 'ollama' },
    ],
  })
  return { chat, setup, file, settings: () => readSettings(join(folder, 'settings.json')) }
}

test('servers of other files are offered with what would run, secrets masked', async () => {
  const { setup, file } = await openSetup()

  const [found] = await setup.findServers()

  expect(found).toMatchObject({ file })
  const shown = found?.servers.map((server) => server.shown)
  expect(shown?.[0]).toMatch(/^tools --token \S+ 'a b' \(with API_KEY\)$/)
  expect(JSON.stringify(found)).not.toContain('hunter2secret')
  expect(shown?.[1]).toBe('https://example.com/mcp (sends Authorization)')
  expect(found?.servers[2]).toMatchObject({ name: 'off', why: 'it is disabled in its file' })
})

test('what was agreed to is added and kept, and another command is not', async () => {
  const { chat, setup, file, settings } = await openSetup()
  const [found] = await setup.findServers()
  const shown = found?.servers[0]?.shown ?? ''

  await expect(setup.addServers(file, [{ name: 'tools', shown: 'rm -rf /' }])).rejects.toThrow(
    'changed',
  )
  await setup.addServers(file, [{ name: 'tools', shown }])

  expect(chat.host.servers.map(({ name }) => name)).toEqual(['tools'])
  expect((await settings()).servers).toEqual([{ file, name: 'tools', shown }])
  expect((await setup.findServers())[0]?.servers[0]?.why).toContain('there already')
  await setup.removeServer('tools')
  expect(chat.host.servers).toEqual([])
  expect((await settings()).servers).toEqual([])
})

test('models of this machine and of providers are offered, and the choice lasts', async () => {
  const { chat, setup, settings } = await openSetup({ OPENAI_API_KEY: 'x' })

  const models = await setup.findModels()
  await setup.useModel('ollama/llama3', 'http://127.0.0.1:11434/v1')

  expect(models.map(({ name, where }) => `${name}: ${where}`)).toEqual([
    'ollama/llama3: runs on this machine (ollama)',
    'anthropic/claude-sonnet-4-5: at api.anthropic.com; you are asked for a key once',
    'openai/gpt-5: at api.openai.com, with the key in OPENAI_API_KEY',
  ])
  expect(JSON.stringify(models)).not.toContain('"x"')
  expect(chat.models[0]).toBe('ollama/llama3')
  expect((await settings()).model).toMatchObject({ name: 'ollama/llama3' })
})

test("a server of one's own is written down, and only that is taken out again", async () => {
  const changes: string[] = []
  const { chat, setup, settings } = await openSetup(
    {},
    {
      add: async (name, entry) => {
        changes.push(`add ${name} ${JSON.stringify(entry)}`)
        return inProcess(name, createWorkshop())
      },
      remove: async (name) => void changes.push(`remove ${name}`),
    },
  )
  chat.addServer(inProcess('by-hand', createWorkshop()))

  await setup.addCustom('notes', { url: 'https://example.com/mcp' })
  await expect(setup.addCustom('notes', { url: 'https://example.com/' })).rejects.toThrow('already')
  await setup.removeServer('by-hand')
  await setup.removeServer('notes')

  expect(changes).toEqual(['add notes {"url":"https://example.com/mcp"}', 'remove notes'])
  expect((await settings()).own).toEqual([])
})

test('who names new conversations is kept for the next start', async () => {
  const { setup, chat, settings } = await openSetup()

  await setup.setTitles('model')
  expect(chat.titles).toBe('model')
  expect(await settings()).toEqual({ titles: 'model' })
  await setup.setTitles('words')
  expect(await settings()).toEqual({})
})

test('the welcome comes until it was finished', async () => {
  const { setup, settings } = await openSetup()

  expect(await setup.isFirstRun()).toBe(true)
  await setup.setRoots(['/somewhere'])
  await setup.finish()

  expect(await setup.isFirstRun()).toBe(false)
  expect(await settings()).toEqual({ roots: ['/somewhere'], isSetUp: true })
})
