import { join } from 'node:path'

import { type ChatCatalogue, createChatSetup, type RegistryChoice } from '@parley/chat'
import { readConfigText, type ConfigEntry } from '@parley/foundation/config'
import { createScriptedModel } from '@parley/host/models'
import { expect, test } from 'vitest'

import { createChatService } from '../../src/service/service.ts'
import { openTalk } from '../talking.ts'
import { createWorkshop, inProcess } from '../workshop.ts'

const choice: RegistryChoice = {
  name: 'com.example/workshop',
  version: '1.0.0',
  plan: 'npm workshop@1.0.0',
  answers: { KEY: 'x' },
  as: 'workshop',
}

function entryNamed(name: string): ConfigEntry {
  const text = JSON.stringify({ mcpServers: { [name]: { command: 'npx', args: ['workshop'] } } })
  const [entry] = readConfigText(text, { name: 'mcp.json', cwd: '/' }).entries
  if (entry === undefined) throw new Error('no entry')
  return entry
}

/** A chat whose page asks this registry, and what the registry was asked for. */
async function openService(hasRegistry = true) {
  const added: unknown[] = []
  const catalogue: ChatCatalogue = {
    search: async (text, registry = 'https://registry.test') => ({
      registry,
      items: [
        {
          name: choice.name,
          version: '1.0.0',
          description: text,
          status: 'active',
          flags: [],
        },
      ],
    }),
    read: async (name, version) => ({
      item: { name, version, description: '', status: 'active', flags: [] },
      plans: [],
    }),
    review: async () => ({ shown: 'npx workshop', file: '/home/ada/mcp.json' }),
    async add(given, shown) {
      added.push({ ...given, shown })
      return entryNamed(given.as)
    },
  }
  const chat = await openTalk()
  const setup = createChatSetup(chat, {
    file: join(chat.folder, 'settings.json'),
    load: async () => ({ entries: [], problems: [], files: [] }),
    toServer: ({ name }) => inProcess(name, createWorkshop()),
    openModel: (name) => createScriptedModel('Hi.', { name }),
    env: {},
    ...(hasRegistry && { catalogue }),
  })
  const service = createChatService({
    chat,
    setup,
    version: '1',
    folder: '/here',
    roots: [],
    emit: () => {},
  })
  const ask = (method: string, params: object = {}) => service.handle(method, params)
  return { chat, ask, added }
}

test('an entry of a registry becomes a server, once under each name', async () => {
  const { chat, ask, added } = await openService()
  expect(await ask('state/get')).toMatchObject({ canBrowse: true })
  expect(await ask('catalogue/search', { text: 'tools' })).toMatchObject({
    registry: 'https://registry.test',
    items: [{ description: 'tools' }],
  })
  const elsewhere = await ask('catalogue/search', { text: '', registry: 'https://own.test' })
  expect(elsewhere).toMatchObject({ registry: 'https://own.test' })
  expect(await ask('catalogue/review', choice)).toMatchObject({ shown: 'npx workshop' })
  expect(chat.host.servers).toEqual([])

  await ask('catalogue/add', { ...choice, shown: 'npx workshop' })

  expect(chat.host.servers.map(({ name }) => name)).toEqual(['workshop'])
  expect(added).toEqual([{ ...choice, shown: 'npx workshop' }])
  const again = ask('catalogue/add', { ...choice, shown: 'npx workshop' })
  await expect(again).rejects.toThrow('there is a server named workshop already')
  expect(added).toHaveLength(1)
})

test.each([
  ['catalogue/search', { text: 'x', registry: 'file:///etc' }],
  ['catalogue/read', { name: 'com.example/x' }],
  ['catalogue/review', { ...choice, as: 'a/../b' }],
  ['catalogue/add', choice],
  ['catalogue/add', { ...choice, shown: 'x', command: 'rm' }],
])('%s refuses what it does not know: %j', async (method, params) => {
  const { ask } = await openService()

  await expect(ask(method, params)).rejects.toMatchObject({ problem: { code: 'invalid_params' } })
})

test('a chat without a registry says so', async () => {
  const { ask } = await openService(false)

  expect(await ask('state/get')).toMatchObject({ canBrowse: false })
  const asked = ask('catalogue/search', { text: 'x' })
  await expect(asked).rejects.toMatchObject({ problem: { code: 'not_here' } })
})
