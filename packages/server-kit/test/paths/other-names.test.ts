/** A volume where one file has several names: another case, another Unicode form, a short name as Windows gives them. */

import {
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join, parse } from 'node:path'

import { describe, expect, test } from 'vitest'

import { findDirectory, readDirectoryRequest } from '../../src/paths/allowed-directory.ts'
import { isInside, mayBeInside } from '../../src/paths/containment.ts'
import { jailOf } from '../../src/paths/jail-of.ts'
import { requireName } from '../../src/paths/path-text.ts'
import type { PathSystem } from '../../src/paths/resolve-path.ts'
import { systemCode } from '../../src/paths/system-error.ts'
import { isSameFile, openWithoutLinks } from '../../src/paths/verify-handle.ts'
import { attempt, createPlace } from './support.ts'

/** The names of the disk for any of those a path is typed with. */
async function onDisk(path: string): Promise<string> {
  let current = parse(path).root
  for (const segment of path.split('/').filter((one) => one !== '')) {
    const names = await readdir(current).catch(() => [])
    const fold = (name: string) => name.normalize('NFC').toLowerCase()
    const short = /^(.{1,6})~1$/.exec(fold(segment))?.[1]
    const found =
      names.find((name) => name === segment) ??
      names.find((name) => fold(name) === fold(segment)) ??
      names.find((name) => short !== undefined && fold(name).replaceAll(' ', '').startsWith(short))
    current = join(current, found ?? segment)
  }
  return current
}

const volume: PathSystem = {
  platform: 'darwin',
  lstat: async (path) => lstat(await onDisk(path)),
  readdir: async (path) => readdir(await onDisk(path)),
  realpath: async (path) => realpath(await onDisk(path)),
}

async function openJail(...directories: readonly string[]) {
  const found = directories.map((one) => findDirectory(readDirectoryRequest(one)))
  return jailOf(await Promise.all(found), volume)
}

describe('a read-only folder inside one that may be changed', () => {
  test.each(['kept folder é', 'KEPT FOLDER É', 'kept folder e\u0301', 'KEPTFO~1', 'KeptFo~1'])(
    'is not taken away by the name %j',
    async (name) => {
      await using place = await createPlace()
      const kept = join(place.allowed, 'kept folder é')
      await mkdir(kept)
      const jail = await openJail(place.allowed, `ro:${kept}`)

      for (const path of [join(place.allowed, name), name]) {
        expect(await attempt(jail.remove(path))).toBe('denied: read_only')
        expect(await attempt(jail.remove(path, { recursive: true }))).toBe('denied: read_only')
        expect(await attempt(jail.takeOut(path, join(place.outside, 'taken')))).toBe(
          'denied: read_only',
        )
        expect(await attempt(jail.move(path, 'moved'))).toBe('denied: read_only')
        expect(await attempt(jail.writeFile(`${path}/new`, 'x'))).toBe('denied: read_only')
      }
      expect(await readdir(kept)).toEqual([])
    },
  )

  test('given as a link stays one: the link is known by the name of its folder, or refused', async () => {
    await using place = await createPlace()
    await mkdir(join(place.allowed, 'target'))
    await symlink('target', join(place.allowed, 'kept link'))
    const jail = await openJail(place.allowed, `ro:${join(place.allowed, 'kept link')}`)

    expect(await attempt(jail.remove(join(place.allowed, 'KEPT LINK')))).toBe('denied: read_only')
    expect(await attempt(jail.remove(join(place.allowed, 'KEPTLI~1')))).toBe('denied: ambiguous')
    expect((await lstat(join(place.allowed, 'kept link'))).isSymbolicLink()).toBe(true)
  })
})

test('a folder is deleted, and a file renamed, by another case of its name', async () => {
  await using place = await createPlace()
  const jail = await openJail(place.allowed)
  await mkdir(join(place.allowed, 'Docs/deep'), { recursive: true })
  await writeFile(join(place.allowed, 'readme.md'), 'text')

  await jail.remove('docs', { recursive: true })
  await jail.move('readme.md', 'README.md')

  const names = await readdir(place.allowed)
  expect(names).not.toContain('Docs')
  expect(names.filter((name) => /readme/i.test(name))).toEqual(['README.md'])
  expect(await readFile(join(place.allowed, 'README.md'), 'utf8')).toBe('text')
  expect(await attempt(jail.move('README.md', 'README.md'))).toBe('Destination already exists')
  expect(await attempt(jail.move('README.md', 'file.txt'))).toBe('Destination already exists')
  await symlink('README.md', join(place.allowed, 'to-readme'))
  expect(await attempt(jail.move('README.md', 'to-readme'))).toBe('Destination already exists')
})

test('a path is found above the folder too, and nothing beside it', async () => {
  await using place = await createPlace()
  const jail = await openJail(place.allowed)
  const other = place.allowed.replace('allowed', 'ALLOWED')

  expect((await jail.resolve(`${other}/FILE.txt`)).path).toBe(join(place.allowed, 'file.txt'))
  expect((await jail.resolve(`${other}/new/file`)).path).toBe(join(place.allowed, 'new/file'))
  await rename(place.allowed, `${place.allowed}-moved`)
  await mkdir(other) // a neighbour that differs in case alone, where case counts
  await writeFile(join(other, 'file.txt'), 'of others')
  expect(await attempt(jail.open(`${other}/file.txt`))).toBe('denied: link')
})

test('real paths are compared exactly, typed ones as the platform names files', () => {
  expect(isInside(String.raw`C:\jail\x`, String.raw`C:\jail`, 'win32')).toBe(true)
  expect(isInside(String.raw`C:\JAIL\x`, String.raw`C:\jail`, 'win32')).toBe(false)
  expect(isInside('C:\\\u212Aeep\\x', String.raw`C:\keep`, 'win32')).toBe(false)
  expect(mayBeInside(String.raw`c:\JAIL\x`, String.raw`C:\jail`, 'win32')).toBe(true)
  expect(mayBeInside(String.raw`C:\jail_evil\x`, String.raw`C:\jail`, 'win32')).toBe(false)
  expect(mayBeInside('/Jail/x', '/jail', 'darwin')).toBe(true)
  expect(mayBeInside('/Jail/x', '/jail', 'linux')).toBe(false)
})

test.each(['..\\x', 'a\\b', 'a:b', 'C:', 'x/y', '..', ''])(
  '%j is not the name of a file in a directory of Windows',
  (name) => {
    expect(() => requireName(name, 'win32')).toThrow('not the name of a file')
  },
)

test('a name may have what only Windows reserves elsewhere', () => {
  expect(() => requireName('a:b\\c', 'linux')).not.toThrow()
})

test('a volume number of 32 bits is the lower half of the one of 64 bits, on Windows alone', () => {
  const byPath = { dev: 0xa1b2_c3d4_5566_7788n, ino: 7n }
  const byHandle = { dev: 0x5566_7788n, ino: 7n }

  expect(isSameFile(byPath, byHandle, 'win32')).toBe(true)
  expect(isSameFile(byPath, byHandle, 'linux')).toBe(false)
  expect(isSameFile(byPath, { dev: 1n, ino: 7n }, 'win32')).toBe(false)
  expect(isSameFile(byPath, { ...byHandle, ino: 8n }, 'win32')).toBe(false)
})

test('a failure that Windows has no name for is one of the system', () => {
  const unknown = Object.assign(new Error('UNKNOWN: unknown error, open'), { code: 'UNKNOWN' })

  expect(systemCode(unknown)).toBe('UNKNOWN')
  expect(systemCode(Object.assign(new Error('x'), { code: 'UNDER' }))).toBeUndefined()
})

describe('on macOS a link anywhere in a path is refused when a file is opened', () => {
  const anywhere = 0x2000_0000
  const atTheEnd = 0x100

  async function flagsAsked(platform: NodeJS.Platform, refuses: (flags: number) => boolean) {
    const asked: number[] = []
    const open = async (_: string, flags: number): Promise<never> => {
      asked.push(flags)
      throw Object.assign(new Error(''), { code: refuses(flags) ? 'EINVAL' : 'ELOOP' })
    }
    const code = await attempt(openWithoutLinks('/x', atTheEnd, undefined, { platform, open }))
    return { asked, code }
  }

  test('by one more flag, which other systems do not get', async () => {
    const { asked } = await flagsAsked('darwin', () => false)
    expect(asked).toEqual([atTheEnd | anywhere])
    expect((await flagsAsked('linux', () => false)).asked).toEqual([atTheEnd])
  })

  test('and alone, where the two flags are not combined', async () => {
    const { asked } = await flagsAsked('darwin', (flags) => flags === (atTheEnd | anywhere))
    expect(asked).toHaveLength(2)
    expect(asked[1]! & anywhere).toBe(anywhere)
  })
})
