/** One test for each way out that a filesystem server has been found to have. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rename, symlink } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { addLinks, createPlace, open, textOf, type Place } from './support.ts'

/** Every tool that takes a path, asked for one. */
function callsFor(path: string): readonly (readonly [string, Record<string, unknown>])[] {
  return [
    ['read_file', { path }],
    ['read_text_file', { path }],
    ['read_text_file', { path, head: 1 }],
    ['read_text_file', { path, tail: 1 }],
    ['read_media_file', { path }],
    ['write_file', { path, content: 'overwritten' }],
    ['edit_file', { path, edits: [{ oldText: 'secret', newText: 'edited' }] }],
    ['create_directory', { path: `${path}/made` }],
    ['list_directory', { path }],
    ['list_directory_with_sizes', { path }],
    ['directory_tree', { path }],
    ['search_files', { path, pattern: '**' }],
    ['get_file_info', { path }],
    ['move_file', { source: path, destination: 'taken' }],
    ['move_file', { source: 'own.txt', destination: path }],
    ['grep_files', { path, pattern: 'secret' }],
    ['find_files', { path, pattern: '**' }],
    ['read_lines', { path }],
    ['read_bytes', { path }],
    ['copy_file', { source: path, destination: 'copied' }],
    ['copy_file', { source: 'own.txt', destination: path }],
  ]
}

const more = [
  'grep_files',
  'find_files',
  'read_lines',
  'read_bytes',
  'copy_file',
  'delete_file',
  'resources',
] as const

/** No tool gives or changes anything of the neighbour. */
async function expectNoWayOut(place: Place, paths: readonly string[]): Promise<void> {
  await using client = await open(place, { enable: more })
  for (const path of paths) {
    for (const [tool, args] of callsFor(path)) {
      const result = await client.callTool(tool, args)
      expect({ tool, path, isError: result.isError, text: textOf(result) }).toEqual({
        tool,
        path,
        isError: true,
        text: expect.stringMatching(/^(Access denied|ENOENT|ENOTDIR)/),
      })
    }
    await expect(client.readResource(`file://${encodeURI(path)}`)).rejects.toThrow()
  }
  expect(await readdir(place.outside)).toEqual(['secret.txt'])
  expect(await readFile(`${place.outside}/secret.txt`, 'utf8')).toBe('secret')
  expect(await readdir(place.root)).not.toContain('taken')
}

test('CVE-2025-53110: a directory whose name only begins like an allowed one is not allowed', async () => {
  await using place = await createPlace({ 'own.txt': 'own' })

  await expectNoWayOut(place, [
    place.outside,
    `${place.outside}/secret.txt`,
    `${place.root}/../root_evil/secret.txt`,
    `${place.root}/./x/../../root_evil/secret.txt`,
    `${place.root}_evil//secret.txt`,
  ])
})

test('CVE-2025-53109: a link does not lead outside, at the end or on the way', async () => {
  await using place = await createPlace({ 'own.txt': 'own', 'a.txt': '', 'sub/x': '' })
  await addLinks(place)
  await symlink('dir-out', place.at('second-hop'))
  await symlink('../../root_evil', place.at('sub/relative'))

  await expectNoWayOut(place, [
    place.at('link-out'),
    place.at('dir-out/secret.txt'),
    place.at('dir-out'),
    place.at('second-hop/secret.txt'),
    place.at('sub/relative/secret.txt'),
    place.at('dir-in/relative'),
  ])
})

test('race: a link that takes a path between check and use does not lead outside', async () => {
  await using place = await createPlace({ 'real/secret.txt': 'open' })
  await symlink(place.outside, place.at('link'))
  const swapper = spawn(process.execPath, [
    '-e',
    `const { renameSync } = require('node:fs'); const at = (name) => process.argv[1] + '/' + name
     console.log('ready')
     for (;;) for (const one of ['real', 'link']) { renameSync(at(one), at('swapped')); renameSync(at('swapped'), at(one)) }`,
    place.root,
  ])
  try {
    await once(swapper.stdout, 'data')
    await using client = await open(place, { enable: more })
    for (let round = 0; round < 300; round += 1) {
      const path = 'swapped/secret.txt'
      const texts = await Promise.all([
        client.callTool('read_text_file', { path }),
        client.callTool('search_files', { path: 'swapped', pattern: '**' }),
        client.callTool('grep_files', { path: 'swapped', pattern: 'secret' }),
        client.callTool('write_file', { path: `swapped/new-${round % 7}.txt`, content: 'x' }),
      ])
      expect(textOf(texts[0])).not.toBe('secret')
      if (texts[1].isError !== true) expect(textOf(texts[1])).not.toContain('root_evil')
      expect(textOf(texts[2])).not.toContain(': secret')
    }
  } finally {
    const ended = once(swapper, 'exit')
    swapper.kill('SIGKILL')
    await ended
  }
  expect(await readdir(place.outside)).toEqual(['secret.txt'])
})

test('a root that is renamed and replaced by a link is no root any more', async () => {
  await using place = await createPlace({ 'own.txt': 'own' })
  await using client = await open(place)
  await rename(place.root, `${place.root}-moved`)
  await symlink(place.outside, place.root)

  const result = await client.callTool('read_text_file', { path: place.at('secret.txt') })

  expect(textOf(result)).toMatch(/^Access denied/)
})

test.each([
  ['a NUL', 'own.txt\0.png'],
  ['a Windows path', 'C:\\Windows\\win.ini'],
  ['letters that reverse the direction', 'own\u202etxt.'],
  ['a path too long to be one', '../'.repeat(20_000)],
])('%s is refused', async (_name, path) => {
  await using place = await createPlace({ 'own.txt': 'own' })
  await using client = await open(place)

  const result = await client.callTool('read_text_file', { path })

  expect(textOf(result)).toMatch(/^Access denied/)
})

test('an expression that runs wild is stopped', async () => {
  await using place = await createPlace({ 'a.txt': `${'a'.repeat(40)}!` })
  await using client = await open(place, { enable: ['grep_files'] })

  const result = await client.callTool('grep_files', { path: '.', pattern: '(a+)+$', regex: true })

  expect(textOf(result)).toContain('takes too long')
})
