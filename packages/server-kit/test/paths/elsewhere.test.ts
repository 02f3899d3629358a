/** Systems that do not say what a handle is open on: the same rules, kept by looking again. */

import files, { open, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

import type { PathJail, PathJailOptions } from '@parley/server-kit/paths'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { attempt, createPlace, type Place } from './support.ts'

const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
let createPathJail: (options: PathJailOptions) => Promise<PathJail>
beforeAll(async () => {
  Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' })
  vi.resetModules()
  ;({ createPathJail } = await import('../../src/paths/path-jail.ts'))
})
afterAll(() => void Object.defineProperty(process, 'platform', platform))

test('opens, writes and refuses as on Linux', async () => {
  await using place = await createPlace()
  const jail = await createPathJail({ directories: [place.allowed] })
  const before = await place.outsideNow()

  await jail.writeFile('new.txt', 'one')
  await jail.writeFile('new.txt', 'two')
  await jail.createDirectory('a/b')
  await jail.move('new.txt', 'a/b/moved.txt')

  expect(await readFile(join(place.allowed, 'a/b/moved.txt'), 'utf8')).toBe('two')
  for (const path of ['out-file', 'out-folder/secret.txt', '../outside/secret.txt', 'chain-1']) {
    expect(await attempt(jail.open(path))).toMatch(/^denied/)
    expect(await attempt(jail.writeFile(path, 'x'))).toMatch(/^denied/)
  }
  await using directory = await jail.openDirectory('folder')
  expect((await directory.entries()).map(({ name }) => name)).toEqual(['deep', 'inner.txt', 'up'])
  expect(await place.outsideNow()).toEqual(before)
})

test('what another link leads to by the time it is looked at is not given out', async () => {
  await using place = await createPlace()
  const jail = await createPathJail({ directories: [place.allowed] })
  await using directory = await jail.openDirectory('folder')
  await using elsewhere = await open(join(place.outside, 'secret.txt'))

  await expect(directory.confirm(elsewhere, 'inner.txt')).rejects.toThrow('changed while')
  await rename(join(place.allowed, 'folder'), join(place.allowed, 'moved'))
  await symlink(place.outside, join(place.allowed, 'folder'))
  await expect(directory.confirm(elsewhere, 'secret.txt')).rejects.toThrow('changed while')
  await expect(directory.entries()).rejects.toThrow('changed while')
})

describe('a folder that is swapped for a link just before a call', () => {
  /** Swaps `folder` for a link to the outside before the next call of a function, for a path if one is given. */
  function swapBefore(
    name: 'lstat' | 'mkdir' | 'unlink',
    { allowed, outside }: Place,
    path?: string,
  ): void {
    const real = files[name] as (...args: unknown[]) => Promise<unknown>
    const swap = async (...args: unknown[]) => {
      if (path !== undefined && args[0] !== path) return real(...args)
      restore()
      await rename(join(allowed, 'folder'), join(allowed, 'swapped'))
      await symlink(outside, join(allowed, 'folder'))
      return real(...args)
    }
    const restore = () => {
      Object.assign(files, { [name]: real })
      syncBuiltinESMExports()
    }
    Object.assign(files, { [name]: swap })
    syncBuiltinESMExports()
    onTestFinished(restore)
  }

  test('that is swapped after a rename neither gives nor takes a file', async () => {
    await using place = await createPlace()
    const jail = await createPathJail({ directories: [place.allowed] })
    const before = await place.outsideNow()
    await writeFile(join(place.allowed, 'mine.txt'), 'mine')

    // The first look at the new name comes after the rename.
    swapBefore('lstat', place, join(place.allowed, 'folder/got.txt'))
    const given = jail.move('mine.txt', 'folder/got.txt')

    await expect(given).rejects.toThrow()
    await expect(readFile(join(place.allowed, 'mine.txt'))).rejects.toThrow('ENOENT')
    expect(await place.outsideNow()).toEqual(before)
  })

  test('that a file left is swapped after the rename: the file does not go back through it', async () => {
    await using place = await createPlace()
    const jail = await createPathJail({ directories: [place.allowed] })
    const before = await place.outsideNow()
    await writeFile(join(place.allowed, 'folder/mine.txt'), 'mine')
    const real = files.lstat as (...args: unknown[]) => Promise<unknown>
    const restore = () => {
      Object.assign(files, { lstat: real })
      syncBuiltinESMExports()
    }
    // The first look that finds the new name comes after the rename.
    const swapAfter = async (...args: unknown[]) => {
      const found = await real(...args)
      if (args[0] !== join(place.allowed, 'got.txt')) return found
      restore()
      await rename(join(place.allowed, 'folder'), join(place.allowed, 'swapped'))
      await symlink(place.outside, join(place.allowed, 'folder'))
      return found
    }
    Object.assign(files, { lstat: swapAfter })
    syncBuiltinESMExports()
    onTestFinished(restore)

    const moved = jail.move('folder/mine.txt', 'got.txt')

    await expect(moved).rejects.toThrow('path changed while it was used')
    expect(await place.outsideNow()).toEqual(before)
    expect(await readFile(join(place.allowed, 'got.txt'), 'utf8')).toBe('mine')
  })

  test('is told of, and a file of elsewhere goes back', async () => {
    await using place = await createPlace()
    const jail = await createPathJail({ directories: [place.allowed] })
    const before = await place.outsideNow()
    await writeFile(join(place.allowed, 'folder/secret.txt'), 'inside')

    // The last look before the rename is at the folder that the file moves to.
    swapBefore('lstat', place, place.allowed)
    const moved = jail.move('folder/secret.txt', 'got.txt')

    await expect(moved).rejects.toThrow('path changed while it was used')
    await expect(readFile(join(place.allowed, 'got.txt'))).rejects.toThrow('ENOENT')
    expect(await place.outsideNow()).toEqual(before)
  })

  test.each([
    ['mkdir', (jail: PathJail) => jail.createDirectory('folder/made')],
    ['unlink', (jail: PathJail) => jail.remove('folder/inner.txt')],
  ] as const)('is told of after %s', async (name, work) => {
    await using place = await createPlace()
    const jail = await createPathJail({ directories: [place.allowed] })

    swapBefore(name, place)

    await expect(work(jail)).rejects.toThrow('path changed while it was used')
  })
})
