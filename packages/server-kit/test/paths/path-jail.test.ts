import { execFileSync } from 'node:child_process'
import {
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { createPathJail, type PathJail } from '@parley/server-kit/paths'
import { beforeEach, describe, expect, test } from 'vitest'

import { testOnPosix } from '../../../../test-support/on-posix.ts'
import { attempt, createPlace, secret, type Place } from './support.ts'

let place: Place
let jail: PathJail
beforeEach(async () => {
  place = await createPlace()
  jail = await createPathJail({ directories: [place.allowed] })
  return () => place[Symbol.asyncDispose]()
})

async function read(path: string, from = jail): Promise<string> {
  await using handle = await from.open(path)
  return await handle.readFile('utf8')
}

describe('what is opened', () => {
  test.each([
    ['file.txt', 'open'],
    ['./folder/../file.txt', 'open'],
    ['folder/inner.txt', 'inner'],
    ['to-file', 'open'],
    ['to-folder/inner.txt', 'inner'],
    ['chain-in', 'open'],
  ])('%s', async (path, text) => {
    expect(await read(path)).toBe(text)
    expect(await read(join(place.allowed, path))).toBe(text)
  })
})

describe('what is refused', () => {
  test.each([
    ['../outside/secret.txt', 'denied: outside'],
    ['folder/../../outside/secret.txt', 'denied: outside'],
    ['../allowed_evil/secret.txt', 'denied: outside'],
    ['..', 'denied: outside'],
    ['/etc/passwd', 'denied: outside'],
    ['~/.ssh/id_rsa', 'denied: outside'],
    ['file.txt\0.png', 'denied: outside'],
    ['out-file', 'denied: link'],
    ['out-folder/secret.txt', 'denied: link'],
    ['out-relative/secret.txt', 'denied: link'],
    ['out-evil/secret.txt', 'denied: link'],
    ['chain-1', 'denied: link'],
    ['root/etc/passwd', 'denied: link'],
    ['parent/outside/secret.txt', 'denied: link'],
    ['folder/up/secret.txt', 'denied: link'],
    ['dangling', 'denied: link'],
    ['dangling-inside', 'denied: link'],
    ['out-folder/not-there.txt', 'denied: link'],
    ['loop', 'ELOOP'],
    ['C:\\Windows\\system.ini', 'denied: text'],
    ['\\\\server\\share', 'denied: text'],
    ['file\u202etxt.exe', 'denied: text'],
    ['\u2066file.txt', 'denied: text'],
  ])('%j', async (path, why) => {
    expect(await attempt(read(path))).toBe(why)
    expect(await attempt(jail.writeFile(path, 'x'))).toBe(why)
  })

  test('what is not there, and what is too long to be a path', async () => {
    expect(await attempt(read('not-there.txt'))).toBe('ENOENT')
    expect(await attempt(read('x'.repeat(40_000)))).toBe('denied: text')
  })

  testOnPosix('a pipe, which would never answer', async () => {
    execFileSync('mkfifo', [join(place.allowed, 'pipe')])

    expect(await attempt(read('pipe'))).toBe('denied: kind')
  })

  test('nothing without directories', async () => {
    const empty = await createPathJail({ directories: [] })

    expect(await attempt(read('file.txt', empty))).toBe('denied: outside')
    expect(await attempt(read('/etc/hostname', empty))).toBe('denied: outside')
  })

  test('nothing of a directory whose place a link has taken', async () => {
    await rename(place.allowed, `${place.allowed}-moved`)
    await symlink(place.outside, place.allowed)

    expect(await attempt(read('secret.txt'))).toBe('denied: link')
    expect(await attempt(read(join(place.allowed, 'secret.txt')))).toBe('denied: link')
  })

  test('does not make a directory that does not exist part of a jail', async () => {
    await expect(createPathJail({ directories: [join(place.allowed, 'none')] })).rejects.toThrow(
      'ENOENT',
    )
    await expect(
      createPathJail({ directories: [join(place.allowed, 'file.txt')] }),
    ).rejects.toThrow('not a directory')
  })
})

describe('names in Unicode', () => {
  const composed = 'caf\u00e9.txt'
  const decomposed = 'cafe\u0301.txt'

  test('a name is found in its other form', async () => {
    await writeFile(join(place.allowed, decomposed), 'coffee')

    expect(await read(composed)).toBe('coffee')
    expect(await jail.writeFile(composed, 'tea')).toBe(join(place.allowed, decomposed))
    expect(await readFile(join(place.allowed, decomposed), 'utf8')).toBe('tea')
  })

  test('of two forms the exact one is meant', async () => {
    await writeFile(join(place.allowed, composed), 'one')
    await writeFile(join(place.allowed, decomposed), 'two')

    expect([await read(composed), await read(decomposed)]).toEqual(['one', 'two'])
  })

  test('two names that look like the one asked for are an error', async () => {
    await writeFile(join(place.allowed, 'a\u0323\u0307'), 'one')
    await writeFile(join(place.allowed, 'a\u0307\u0323'), 'two')

    expect(await attempt(read('\u1ea1\u0307'))).toBe('denied: ambiguous')
  })

  test('a link in the other form is checked like any other', async () => {
    await symlink(place.outside, join(place.allowed, 'e\u0301'))

    expect(await attempt(read('\u00e9/secret.txt'))).toBe('denied: link')
  })
})

describe('writing', () => {
  test('creates a file, and replaces one as a whole with its permissions kept', async () => {
    await jail.writeFile('new.txt', 'first')
    await (await jail.open('new.txt')).chmod(0o640)
    await using before = await jail.open('new.txt')
    await jail.writeFile('new.txt', 'second')

    expect(await read('new.txt')).toBe('second')
    expect((await jail.stat('new.txt')).mode & 0o777).toBe(0o640)
    expect(await before.readFile('utf8')).toBe('first')
    expect(await readdir(place.allowed)).not.toContainEqual(expect.stringMatching(/\.tmp$/))
  })

  test('through a link that stays inside, what it leads to', async () => {
    await jail.writeFile('to-file', 'changed')

    expect(await read('file.txt')).toBe('changed')
    expect(await readlink(join(place.allowed, 'to-file'))).toBe(join(place.allowed, 'file.txt'))
  })

  test('in place, of what is there', async () => {
    await using appending = await jail.open('file.txt', 'a')
    await appending.write(' and more')
    await using patching = await jail.open('file.txt', 'r+')
    await patching.write('O', 0)

    expect(await read('file.txt')).toBe('Open and more')
    expect(await attempt(jail.open('none.txt', 'a'))).toBe('ENOENT')
    expect(await attempt(jail.open('out-file', 'r+'))).toBe('denied: link')
    const still = await createPathJail({ directories: [place.allowed], readOnly: true })
    expect(await attempt(still.open('file.txt', 'a'))).toBe('denied: read_only')
  })

  test('leaves nothing behind when it fails', async () => {
    const before = await readdir(place.allowed)
    const fails = (): Promise<void> => Promise.reject(new Error('no'))

    await expect(jail.writeFile('new.txt', fails)).rejects.toThrow('no')
    await expect(jail.writeFile('file.txt', fails)).rejects.toThrow('no')
    await expect(jail.writeFile('folder', 'x')).rejects.toThrow('EISDIR')
    await expect(jail.writeFile('nowhere/new.txt', 'x')).rejects.toThrow(
      `ENOENT: no such file or directory, open '${place.allowed}/nowhere/new.txt'`,
    )
    expect(await readdir(place.allowed)).toEqual(before)
    expect(await read('file.txt')).toBe('open')
  })

  test('a new file only, if so asked', async () => {
    await expect(jail.writeFile('file.txt', 'x', { mustBeNew: true })).rejects.toThrow(
      `EEXIST: file already exists, open '${place.allowed}/file.txt'`,
    )
  })

  test('makes directories with all above them', async () => {
    await jail.createDirectory('a/b/c')
    await jail.createDirectory('a/b')

    expect((await lstat(join(place.allowed, 'a/b/c'))).isDirectory()).toBe(true)
    await expect(jail.createDirectory('file.txt')).rejects.toThrow('EEXIST')
    expect(await attempt(jail.createDirectory('out-folder/a/b'))).toBe('denied: link')
  })

  test('moves, but not onto something', async () => {
    await jail.move('file.txt', 'folder/moved.txt')

    expect(await read('folder/moved.txt')).toBe('open')
    await expect(jail.move('folder/moved.txt', 'folder/inner.txt')).rejects.toThrow(
      'Destination already exists: folder/inner.txt',
    )
    expect(await attempt(jail.move('folder/moved.txt', 'out-folder/x'))).toBe('denied: link')
    expect(await attempt(jail.move('out-file', 'x'))).toBe('denied: link')
    expect(await attempt(jail.move('.', 'x'))).toBe('denied: kind')
  })

  test('removes a link itself, and a tree without following its links', async () => {
    const before = await place.outsideNow()
    await jail.remove('out-file')
    await symlink(place.outside, join(place.allowed, 'folder/deep/out'))
    await expect(jail.remove('folder')).rejects.toThrow('ENOTEMPTY')
    await jail.remove('folder', { recursive: true })

    expect(await readdir(place.allowed)).not.toContain('folder')
    expect(await attempt(jail.remove('.', { recursive: true }))).toBe('denied: kind')
    expect(await place.outsideNow()).toEqual(before)
  })
})

describe('directories', () => {
  test('one that may only be read is only read, the deepest rule counts', async () => {
    const mixed = await createPathJail({
      directories: [`ro:${place.allowed}`, `rw:${place.allowed}/folder`],
    })

    expect(await read(`${place.allowed}/file.txt`, mixed)).toBe('open')
    expect(await attempt(mixed.writeFile(`${place.allowed}/file.txt`, 'x'))).toBe(
      'denied: read_only',
    )
    expect(
      await attempt(mixed.move(`${place.allowed}/folder/inner.txt`, `${place.allowed}/x`)),
    ).toBe('denied: read_only')
    await mixed.writeFile(`${place.allowed}/folder/x`, 'x')
  })

  test.each([
    ['ro:', 'denied: read_only'],
    ['rw:', 'denied: kind'],
  ])('what one with %s is in stays where it is', async (prefix, reason) => {
    const { allowed } = place
    const mixed = await createPathJail({
      directories: [allowed, `${prefix}${allowed}/folder/deep`],
    })

    expect(await attempt(mixed.move('folder', 'moved'))).toBe(reason)
    expect(await attempt(mixed.takeOut('folder', `${allowed}_evil/taken`))).toBe(reason)
    expect(await attempt(mixed.remove('folder', { recursive: true }))).toBe(reason)
    expect(await readdir(join(allowed, 'folder'))).toEqual(['deep', 'inner.txt', 'up'])
    await mixed.move('to-folder', 'moved-link').catch(() => {}) // leads there, so it is the same
    expect(await readdir(join(allowed, 'folder'))).toEqual(['deep', 'inner.txt', 'up'])
  })

  test('readOnly outweighs rw:', async () => {
    const still = await createPathJail({ directories: [`rw:${place.allowed}`], readOnly: true })

    expect(await attempt(still.writeFile('x', 'x'))).toBe('denied: read_only')
    expect(await attempt(still.createDirectory('x'))).toBe('denied: read_only')
    expect(await attempt(still.remove('file.txt'))).toBe('denied: read_only')
  })

  test('a relative path is looked for in each of them', async () => {
    await mkdir(join(place.allowed, 'one'))
    const both = await createPathJail({
      directories: [join(place.allowed, 'one'), join(place.allowed, 'folder')],
    })

    expect(await read('inner.txt', both)).toBe('inner')
    expect(await both.writeFile('new.txt', 'x')).toBe(join(place.allowed, 'one/new.txt'))
  })

  test('one that is given by a link is known by both names', async () => {
    const linked = await createPathJail({ directories: [join(place.allowed, 'to-folder')] })

    expect(await read(join(place.allowed, 'to-folder/inner.txt'), linked)).toBe('inner')
    expect(await read(join(place.allowed, 'folder/inner.txt'), linked)).toBe('inner')
    expect(await attempt(read(join(place.allowed, 'file.txt'), linked))).toBe('denied: outside')
  })

  test('~ is home', async () => {
    const home = await createPathJail({ directories: ['~'] })

    expect(home.directories[0]?.path).toBe(homedir())
  })

  test('entries come sorted, and an entry is no path', async () => {
    await using directory = await jail.openDirectory('folder')

    expect((await directory.entries()).map(({ name }) => name)).toEqual(['deep', 'inner.txt', 'up'])
    expect(() => directory.at('../file.txt')).toThrow('not the name of a file')
    expect(() => directory.at('..')).toThrow('not the name of a file')
  })

  test('one that is held open stays the same when a link takes its path', async () => {
    await using directory = await jail.openDirectory('folder')
    await rename(join(place.allowed, 'folder'), join(place.allowed, 'moved'))
    await symlink(place.outside, join(place.allowed, 'folder'))

    expect((await directory.entries()).map(({ name }) => name)).toContain('inner.txt')
    expect(await readFile(directory.at('inner.txt'), 'utf8')).not.toBe(secret)
  })
})
