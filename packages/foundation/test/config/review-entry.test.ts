import { join } from 'node:path'
import { execPath } from 'node:process'

import { loadConfig, resolveEntry, reviewEntry } from '@parley/foundation/config'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'

async function review(server: object) {
  const folder = folderWith({ 'mcp.json': { mcpServers: { one: server } } })
  const { entries } = await loadConfig({ files: [join(folder, 'mcp.json')], cwd: folder })
  const [entry] = entries
  if (entry === undefined) throw new Error('not read')
  const resolved = await resolveEntry(entry)
  if (!resolved.ok) throw new Error('not resolved')
  return reviewEntry(entry, resolved.entry)
}

test('finds a command on PATH, or by its path, and says which one is missing [CFG-04]', async () => {
  expect(await review({ command: 'node' })).toEqual([])
  expect(await review({ command: execPath })).toEqual([])
  expect(await review({ command: 'no-such-program' })).toMatchObject([
    { level: 'error', key: 'command', message: 'program not found: no-such-program' },
  ])
})

test('explains that paths should be absolute [CFG-04]', async () => {
  expect(await review({ command: 'node', args: ['./server.js', '../x', 'plain'] })).toMatchObject([
    { key: 'args.0', fix: expect.stringContaining('absolute') as string },
    { key: 'args.1' },
  ])
  expect(await review({ command: 'node', args: ['./server.js'], cwd: '/' })).toEqual([])
})

test('says what a file server may touch, and with whose rights [CFG-11]', async () => {
  const folder = folderWith({})
  const args = ['server-filesystem', folder, '/no/such/folder']

  const problems = await review({ command: 'node', args })

  expect(problems).toMatchObject([
    {
      level: 'warning',
      message: `node runs with your permissions and may read and change ${folder}, /no/such/folder`,
    },
    { level: 'error', message: '/no/such/folder is not a folder' },
  ])
})

test('warns of an address that is not encrypted, unless it is on this machine', async () => {
  expect(await review({ url: 'http://example.com/mcp' })).toMatchObject([{ level: 'warning' }])
  expect(await review({ url: 'http://127.0.0.1:3000/mcp' })).toEqual([])
})
