import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished, expect, test } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { readConfigText, saveEdit } from '../../src/config/save-edit.ts'

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-save-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const edit = (file: string, before: string) => ({ file, before, after: '{"new":1}', diff: '' })

test('what another program wrote during the question stays', async () => {
  const file = join(await openFolder(), 'mcp.json')
  await writeFile(file, '{"theirs":1}')

  await expect(saveEdit(edit(file, '{}'))).rejects.toThrow(/changed by another program/)
  expect(await readFile(file, 'utf8')).toBe('{"theirs":1}')
})

test('a file that is not there is made, and nothing is left beside it', async () => {
  const folder = await openFolder()
  const file = join(folder, 'mcp.json')

  expect(await readConfigText(file)).toBe('')
  await saveEdit(edit(file, ''))
  expect(await readFile(file, 'utf8')).toBe('{"new":1}')
  expect(await readdir(folder)).toEqual(['mcp.json'])
})

test('a path that cannot be read is not taken for an empty file', async () => {
  await expect(readConfigText(await openFolder())).rejects.toThrow('EISDIR')
})

testOnPosix('a link stays a link, and the file keeps its rights', async () => {
  const folder = await openFolder()
  const file = join(folder, 'dotfiles.json')
  const link = join(folder, 'mcp.json')
  await writeFile(file, '{}', { mode: 0o600 })
  await symlink(file, link)

  await saveEdit(edit(link, '{}'))
  expect(await readFile(file, 'utf8')).toBe('{"new":1}')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await readdir(folder)).toSorted()).toEqual(['dotfiles.json', 'mcp.json'])
})
