/** Systems that do not say what a handle is open on: the same rules, kept by looking again. */

import { open, readFile, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import type { PathJail, PathJailOptions } from '@parley/server-kit/paths'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { attempt, createPlace } from './support.ts'

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
