import { symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { walk, type WalkOptions } from '@parley/server-kit/files'
import { createPathJail } from '@parley/server-kit/paths'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { folderWith } from '../../../../test-support/temporary-folder.ts'
import { tries } from '../../../../test-support/thorough.ts'

async function walked(root: string, options: WalkOptions = {}): Promise<string[]> {
  const jail = await createPathJail({ directories: [root] })
  const found: string[] = []
  for await (const { relative } of walk(jail, '.', options)) found.push(relative)
  return found
}

const files = { 'a/b/c': '', 'a/d': '', 'a.txt': '', b: '', 'z/y/x': '' }

test('a folder comes before what is in it, names in order', async () => {
  expect(await walked(folderWith(files))).toEqual([
    'a',
    'a/b',
    'a/b/c',
    'a/d',
    'a.txt',
    'b',
    'z',
    'z/y',
    'z/y/x',
  ])
})

test('what is left out is left out with all that is in it', async () => {
  const isExcluded = (relative: string) => relative === 'a' || relative === 'z/y'

  expect(await walked(folderWith(files), { isExcluded })).toEqual(['a.txt', 'b', 'z'])
})

test('a walk that goes on from any path gives that path and the rest, whatever the tree', async () => {
  const name = fc.constantFrom('a', 'b', 'a.b', 'a-b', 'B', 'ä')
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
  await fc.assert(
    fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 8 }), async (paths) => {
      const leaves = paths.map((one) => [`${one}/file`, ''] as const)
      const root = folderWith(Object.fromEntries(leaves))
      const all = await walked(root)

      for (const [at, from] of all.entries()) {
        expect(await walked(root, { from })).toEqual(all.slice(at))
      }
    }),
    { numRuns: tries(20) },
  )
})

test('links are shown and not followed; those that cannot be used may be left out', async () => {
  const root = folderWith({ 'in/file': '' })
  symlinkSync('in', join(root, 'link'))
  symlinkSync('/etc', join(root, 'outside'))

  expect(await walked(root)).toEqual(['in', 'in/file', 'link', 'outside'])
  expect(await walked(root, { onlyUsableLinks: true })).toEqual(['in', 'in/file', 'link'])
})

test('it ends when it is told to', async () => {
  const signal = AbortSignal.abort(new Error('enough'))

  await expect(walked(folderWith(files), { signal })).rejects.toThrow('enough')
})
