/** What differs between platforms, told apart by name: these run everywhere. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createPathJail } from '@parley/server-kit/paths'
import { describe, expect, test } from 'vitest'

import { pathInUri } from '../src/extras/resources.ts'
import { moveToTrash } from '../src/extras/trash.ts'
import { withPermissionHint } from '../src/file-tool.ts'
import { createPlace } from './support.ts'

const rejection = (code: string) => Object.assign(new Error(`${code}: refused, rename`), { code })

describe('the trash of macOS', () => {
  test('has things under their own names, where Finder can put them back, and never replaces one', async () => {
    await using place = await createPlace({ 'a.txt': 'one', 'sub/b.txt': '' })
    const jail = await createPathJail({ directories: [place.root] })
    const trash = `${place.outside}/.Trash`

    const first = await moveToTrash(jail, 'a.txt', trash, 'darwin')
    await writeFile(place.at('a.txt'), 'two')
    const second = await moveToTrash(jail, 'a.txt', trash, 'darwin')
    await moveToTrash(jail, 'sub', trash, 'darwin')

    expect(basename(first)).toBe('a.txt')
    expect(basename(second)).toMatch(/^a [0-9a-f]{8}\.txt$/)
    expect((await readdir(trash)).toSorted()).toEqual([basename(second), 'a.txt', 'sub'])
    expect(await readFile(first, 'utf8')).toBe('one')
  })

  test('that this program may not use is said with what to do instead', async () => {
    await using place = await createPlace({ 'a.txt': 'one' })
    const trash = `${place.outside}/.Trash`
    await mkdir(trash)
    const jail = await createPathJail({ directories: [place.root] })
    const refused = { ...jail, takeOut: () => Promise.reject(rejection('EPERM')) }

    await expect(moveToTrash(refused, 'a.txt', trash, 'darwin')).rejects.toThrow(
      /Full Disk Access.*permanent: true.*--trash/,
    )
    await expect(moveToTrash(refused, 'a.txt', trash, 'linux')).rejects.toThrow('EPERM')
  })
})

test('a folder that macOS asks a person about is refused with the place where to allow it', () => {
  const error = rejection('EPERM')

  expect(() => withPermissionHint(error, 'darwin')).toThrow('Privacy & Security')
  expect(() => withPermissionHint(error, 'linux')).toThrow(error)
  expect(() => withPermissionHint(rejection('ENOENT'), 'darwin')).toThrow(
    /^ENOENT: refused, rename$/,
  )
})

test.each([
  [String.raw`C:\Users\Müller\my notes#1`, '/C:/Users/M%C3%BCller/my%20notes%231'],
  [String.raw`\\host\share\100%`, 'host/share/100%25'],
])('the path %s of Windows stands in a URI as %s', (path, inUri) => {
  expect(pathInUri(path, true)).toBe(inUri)
  expect(fileURLToPath(`file://${inUri}`, { windows: true })).toBe(path)
})
