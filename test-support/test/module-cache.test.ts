import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { folderWith } from '../temporary-folder.ts'
import { hashLayout } from '../vitest/module-cache.ts'

test('modules are made anew when one has moved or a package exports another, not when one has changed', () => {
  const folder = folderWith({
    'package.json': { exports: './src/one.ts' },
    'src/one.ts': 'export const one = 1',
    'src/other.ts': 'export const one = 2',
    'README.md': 'Nothing to import.',
  })
  const layouts = [hashLayout(folder)]
  const change = (work: () => void): void => {
    work()
    layouts.push(hashLayout(folder))
  }

  change(() => writeFileSync(join(folder, 'src/one.ts'), 'export const one = 3'))
  change(() => writeFileSync(join(folder, 'other.md'), 'Nothing to import either.'))
  expect(new Set(layouts).size).toBe(1)

  change(() => writeFileSync(join(folder, 'package.json'), '{ "exports": "./src/other.ts" }'))
  change(() => renameSync(join(folder, 'src/one.ts'), join(folder, 'src/first.ts')))
  expect(new Set(layouts).size).toBe(3)
})
