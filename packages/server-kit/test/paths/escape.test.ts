import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

import { createPathJail } from '@parley/server-kit/paths'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'
import { createPlace, secret } from './support.ts'

const names =
  '.. . ~ file.txt folder deep inner.txt secret.txt outside allowed allowed_evil to-file to-folder ' +
  'out-file out-folder out-relative out-evil chain-1 root parent up loop dangling new %2e%2e ..\\.. ... C: ' +
  'e\u0301 \u00e9 \u2024\u2024 \uff0e\uff0e a\0b \u202e..'
const segment = fc.constantFrom('', ' ..', '.. ', ...names.split(' '))

test('no path ever opens, lists, writes or removes anything outside [REFS-03, TRUST-15]', async () => {
  await using place = await createPlace()
  const jail = await createPathJail({ directories: [place.allowed] })
  const before = await place.outsideNow()

  const path = fc
    .tuple(
      fc.constantFrom('', '/', place.allowed, `${place.allowed}/`, `${place.allowed}_evil/`, '//'),
      fc.array(segment, { maxLength: 8 }),
      fc.constantFrom('/', '//', '/./'),
    )
    .map(([start, segments, separator]) => `${start}${segments.join(separator)}`)
  await fc.assert(
    fc.asyncProperty(path, path, async (one, other) => {
      const text = await jail.open(one).then(readAndClose, () => '')
      expect(text).not.toBe(secret)
      const listed = await jail.openDirectory(one).then(
        async (directory) => {
          await using held = directory
          return held.path
        },
        () => place.allowed,
      )
      expect(`${listed}/`.startsWith(`${place.allowed}/`)).toBe(true) // told without the code under test
      const written = await jail.writeFile(other, 'x', { mustBeNew: true }).catch(() => undefined)
      if (written !== undefined) await jail.remove(written)
      await jail.createDirectory(other).catch(() => undefined)
    }),
    { numRuns: tries(1_000) },
  )

  expect(await place.outsideNow()).toEqual(before)
})

async function readAndClose(handle: FileHandle): Promise<string> {
  try {
    return await handle.readFile('utf8')
  } catch {
    return '' // a directory
  } finally {
    await handle.close()
  }
}

/** Another process that lets links take the place of a file and of a directory, over and over. */
const swapping = `
const { renameSync, symlinkSync, writeFileSync, mkdirSync } = require('node:fs')
const [, allowed, outside] = process.argv
const at = (name) => allowed + '/' + name
mkdirSync(at('real-folder')); writeFileSync(at('real-folder/secret.txt'), 'open')
writeFileSync(at('real-file'), 'open')
symlinkSync(outside, at('link-folder')); symlinkSync(outside + '/secret.txt', at('link-file'))
console.log('ready')
for (;;) for (const kind of ['folder', 'file']) for (const which of ['real', 'link']) {
  renameSync(at(which + '-' + kind), at('swapped-' + kind))
  renameSync(at('swapped-' + kind), at(which + '-' + kind))
}
`

test('links that are swapped in while opening and writing never lead outside', async () => {
  await using place = await createPlace()
  const jail = await createPathJail({ directories: [place.allowed] })
  const before = await place.outsideNow()
  const swapper = spawn(process.execPath, ['-e', swapping, place.allowed, place.outside])
  try {
    await once(swapper.stdout, 'data')
    const seen = { read: 0, refused: 0, written: 0 }
    for (let round = 0; round < 1_500; round += 1) {
      const path = round % 2 === 0 ? 'swapped-file' : 'swapped-folder/secret.txt'
      const text = await jail.open(path).then(readAndClose, () => undefined)
      expect(text).not.toBe(secret)
      seen[text === undefined ? 'refused' : 'read'] += 1
      const target = join('swapped-folder', round % 3 === 0 ? 'secret.txt' : `new-${round}.txt`)
      await jail.writeFile(target, 'written').then(
        () => (seen.written += 1),
        () => undefined,
      )
      await jail.remove(join('swapped-folder', 'secret.txt')).catch(() => undefined)
    }
    expect(seen.refused).toBeGreaterThan(0)
  } finally {
    const ended = once(swapper, 'exit')
    swapper.kill('SIGKILL')
    await ended
  }

  expect(await place.outsideNow()).toEqual(before)
})
