import { EventEmitter } from 'node:events'
import { renameSync, writeFileSync, type watch } from 'node:fs'
import { join } from 'node:path'

import {
  compareConfigs,
  loadConfig,
  watchConfig,
  type ConfigChanges,
} from '@parley/foundation/config'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { followFolder } from '../../src/config/files/watch-config.ts'

const one = { command: 'one' }
const two = { command: 'two' }

test('says which servers are new, gone or different [CFG-10]', async () => {
  const cwd = folderWith({
    'a.json': { mcpServers: { same: one, gone: one, edited: one } },
    'b.json': { mcpServers: { same: one, edited: two, fresh: one } },
  })
  const before = await loadConfig({ cwd, files: ['a.json'] })
  const after = await loadConfig({ cwd, files: ['b.json'] })

  expect(compareConfigs(before.entries, after.entries)).toEqual({
    added: ['fresh'],
    removed: ['gone'],
    changed: ['edited'],
  })
})

test('loads again when a file changes, also when an editor replaces it [CFG-10]', async () => {
  const cwd = folderWith({ 'mcp.json': { mcpServers: { one } } })
  const file = join(cwd, 'mcp.json')
  const received: ((changes: ConfigChanges) => void)[] = []
  const next = () => new Promise<ConfigChanges>((resolve) => received.push(resolve))
  using watched = await watchConfig({ cwd, files: [file] }, (_, changes) =>
    received.shift()?.(changes),
  )

  const added = next()
  writeFileSync(file, JSON.stringify({ mcpServers: { one, two } }))
  expect(await added).toMatchObject({ added: ['two'] })

  const removed = next()
  writeFileSync(`${file}.new`, JSON.stringify({ mcpServers: { two } }))
  renameSync(`${file}.new`, file)
  expect(await removed).toMatchObject({ removed: ['one'] })
  expect(watched.config.entries).toHaveLength(1)
})

test('a folder that Windows says was deleted ends its watching, not the program', () => {
  const watcher = Object.assign(new EventEmitter(), { isClosed: false, close() {} })
  watcher.close = () => void (watcher.isClosed = true)
  let looks = 0

  followFolder('folder', () => (looks += 1), (() => watcher) as unknown as typeof watch) // only called
  watcher.emit('error', Object.assign(new Error('EPERM: operation not permitted, watch'), {}))

  expect([watcher.isClosed, looks]).toEqual([true, 1])
})
