import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { folderWith } from '../../test-support/temporary-folder.ts'
import { linkWorkspaces } from '../link-workspaces.mjs'

test('a new package is linked once, and nothing without an installation', () => {
  const files = {
    'package.json': { workspaces: ['packages/*'] },
    'packages/one/package.json': { name: '@own/one' },
  }
  const fresh = folderWith(files)
  const installed = folderWith({ ...files, 'node_modules/other/package.json': {} })

  expect(linkWorkspaces(fresh)).toEqual([])
  expect(linkWorkspaces(installed)).toEqual(['@own/one'])
  expect(linkWorkspaces(installed)).toEqual([])

  expect(existsSync(join(fresh, 'node_modules'))).toBe(false)
  expect(realpathSync(join(installed, 'node_modules/@own/one'))).toBe(
    realpathSync(join(installed, 'packages/one')),
  )
})
