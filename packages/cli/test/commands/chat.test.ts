import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { until, withChat } from '../chat-page.ts'
import { run, servers } from '../run.ts'

const [command, ...args] = servers.everything

test('a conversation with servers of a file is there at the next start', async () => {
  const cwd = folderWith({ 'mcp.json': { mcpServers: { every: { command, args } } } })
  const env = { PARLEY_STATE: folderWith({}) }
  const flags = ['--config', 'mcp.json', '--model', 'scripted']

  await withChat(flags, { cwd, env }, async (page) => {
    await until(page, (state) => state.includes('"state":"ready"'))
    const { id } = await page.ask('conversations/create', {})
    await page.ask('turns/say', { conversation: id, input: 'Hello?' })
    await until(page, (state) => state.includes('"turns":1'))
  })

  await withChat(flags, { cwd, env }, async (page) => {
    const { conversations, models } = await page.ask('state/get', {})
    expect(conversations).toMatchObject([{ title: 'Hello?', model: 'scripted' }])
    expect(models).toEqual(['scripted'])
  })
})

test('without a file nothing of others starts; what was agreed to does, until it changes', async () => {
  const home = folderWith({ '.claude.json': { mcpServers: { every: { command, args } } } })
  const cwd = folderWith({ '.mcp.json': { mcpServers: { project: { command, args } } } })
  const env = { PARLEY_STATE: folderWith({}), HOME: home }
  const file = join(home, '.claude.json')

  await withChat([], { cwd, env }, async (page) => {
    const state = await page.ask('state/get', {})
    expect(state).toMatchObject({ servers: [], isFirstRun: true, models: ['scripted'] })
    const found = JSON.stringify(await page.ask('setup/servers', {}))
    expect(found).toContain(file)
    expect(found).toContain('"project"')
    const shown = [command, ...args].join(' ')
    await page.ask('setup/add-servers', { file, servers: [{ name: 'every', shown }] })
    await until(page, (text) => text.includes('"state":"ready"'))
    await page.ask('setup/finish', {})
  })
  await withChat([], { cwd, env }, async (page) => {
    expect(await page.ask('state/get', {})).toMatchObject({ isFirstRun: false })
    await until(page, (state) => state.includes('"state":"ready"'))
  })
  const other = { mcpServers: { every: { command, args: [...args, '--more'] } } }
  writeFileSync(file, JSON.stringify(other))
  await withChat([], { cwd, env }, async (page) => {
    const { servers: listed } = await page.ask('state/get', {})
    expect(listed).toMatchObject([{ name: 'every', state: 'off' }])
    expect(JSON.stringify(listed)).toContain('it changed in')
  })
})

test('a server added in the page is written to your configuration, and taken out again', async () => {
  const home = folderWith({})
  const options = { cwd: folderWith({}), env: { PARLEY_STATE: folderWith({}), HOME: home } }
  const file = join(home, '.config/parley/mcp.json')

  await withChat([], options, async (page) => {
    await page.ask('setup/add-own', { name: 'mine', entry: { command, args: [...args] } })
    await until(page, (state) => state.includes('"state":"ready"'))
  })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    mcpServers: { mine: { command, args: [...args] } },
  })
  await withChat([], options, async (page) => {
    await until(page, (state) => state.includes('"state":"ready"'))
    await page.ask('servers/remove', { name: 'mine' })
  })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: {} })
})

test('flags that cannot be right say what to write', async () => {
  const options = { cwd: folderWith({}), env: { PARLEY_STATE: folderWith({}) } }

  const noTerminal = await run(['chat', '--tui', '--model', 'scripted'], options)
  const noModel = await run(['chat', '--base-url', 'http://127.0.0.1:1/v1'], options)
  const noFile = await run(['chat', '--config', 'none.json', '--model', 'scripted'], options)

  expect(noTerminal).toMatchObject({ code: 1 })
  expect(noTerminal.stderr).toContain('--tui needs a terminal')
  expect(noModel.stderr).toContain('--base-url needs --model')
  expect(noFile).toMatchObject({ code: 1 })
})
