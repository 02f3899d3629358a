/** Systems that do not say what a handle is open on: the same promises, kept by looking twice. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { PathJailOptions, PathJail } from '../../src/paths/path-jail.ts'
import { attempt, createPlace, secret } from './support.ts'

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

const swapping = `
const { renameSync } = require('node:fs')
const at = (name) => process.argv[1] + '/' + name
console.log('ready')
for (;;) for (const which of ['real', 'link']) {
  renameSync(at(which), at('swapped'))
  renameSync(at('swapped'), at(which))
}
`

test('links that are swapped in never give out or overwrite anything outside', async () => {
  await using place = await createPlace()
  await mkdir(join(place.allowed, 'real'))
  await writeFile(join(place.allowed, 'real/secret.txt'), 'open')
  await symlink(place.outside, join(place.allowed, 'link'))
  const jail = await createPathJail({ directories: [place.allowed] })
  const swapper = spawn(process.execPath, ['-e', swapping, place.allowed])
  try {
    await once(swapper.stdout, 'data')
    for (let round = 0; round < 1_000; round += 1) {
      const text = await jail.open('swapped/secret.txt').then(
        async (handle) => {
          await using held = handle
          return await held.readFile('utf8')
        },
        () => '',
      )
      expect(text).not.toBe(secret)
      await jail.writeFile('swapped/secret.txt', 'written').catch(() => undefined)
      await jail.writeFile(`swapped/new-${round}`, 'written').catch(() => undefined)
    }
  } finally {
    const ended = once(swapper, 'exit')
    swapper.kill('SIGKILL')
    await ended
  }

  const after = Object.entries(await place.outsideNow())
  expect(after.filter(([, content]) => content === 'written')).toEqual([])
  expect(await readFile(join(place.outside, 'secret.txt'), 'utf8')).toBe(secret)
}, 60_000)
