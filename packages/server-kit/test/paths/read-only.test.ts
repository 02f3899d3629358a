import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createPathJail, type PathJail } from '@parley/server-kit/paths'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { tries } from '../../../../test-support/thorough.ts'

const name = fc.constantFrom('a', 'b', 'locked', 'link', 'new', '..', 'file.txt')
const anyPath = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'))
const call = fc.record({
  kind: fc.constantFrom('move', 'remove', 'takeOut', 'writeFile', 'createDirectory'),
  path: anyPath,
  other: anyPath,
})

test('whatever is called, what is ro: stays as it is, and where it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 20 }), async (calls) => {
      const base = await realpath(await mkdtemp(join(tmpdir(), 'parley-read-only-')))
      const top = join(base, 'top')
      const locked = join(top, 'a/b/locked')
      try {
        await mkdir(join(locked, 'b'), { recursive: true })
        await writeFile(join(locked, 'file.txt'), 'precious')
        await writeFile(join(locked, 'b/file.txt'), 'precious too')
        await symlink('a/b', join(top, 'link'))
        const jail = await createPathJail({ directories: [top, `ro:${locked}`] })

        for (const one of calls) await run(jail, one, base).catch(() => {}) // refusals are fine

        expect((await readdir(locked, { recursive: true })).toSorted()).toEqual([
          'b',
          'b/file.txt',
          'file.txt',
        ])
        expect(await readFile(join(locked, 'file.txt'), 'utf8')).toBe('precious')
        expect(await readFile(join(locked, 'b/file.txt'), 'utf8')).toBe('precious too')
      } finally {
        await rm(base, { recursive: true, force: true })
      }
    }),
    { numRuns: tries(100) },
  )
})

type Call = typeof call extends fc.Arbitrary<infer T> ? T : never

async function run(jail: PathJail, { kind, path, other }: Call, base: string): Promise<unknown> {
  if (kind === 'move') return jail.move(path, other)
  if (kind === 'remove') return jail.remove(path, { recursive: true })
  if (kind === 'takeOut') return jail.takeOut(path, join(base, 'taken'))
  if (kind === 'writeFile') return jail.writeFile(path, 'overwritten')
  return jail.createDirectory(path)
}
