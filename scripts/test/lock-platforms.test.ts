import { expect, test } from 'vitest'

import { findMissingPlatforms, lockFiles, readLock } from '../lock-platforms.mjs'

const optionalDependencies = { '@tool/linux': '1.0.0', '@tool/darwin': '1.0.0' }

test('builds for other platforms that a lock file left out are named', () => {
  const packages = {
    'node_modules/tool': { optionalDependencies },
    'node_modules/@tool/linux': {},
  }

  expect(findMissingPlatforms({ packages })).toEqual([
    'node_modules/tool: 1 of 2 are missing: @tool/darwin',
  ])
})

test('builds are found beside a package and further out', () => {
  const packages = {
    'node_modules/app/node_modules/tool': { optionalDependencies },
    'node_modules/app/node_modules/@tool/linux': {},
    'node_modules/@tool/darwin': {},
  }

  expect(findMissingPlatforms({ packages })).toEqual([])
})

test.each(lockFiles)('%s has the builds for every platform', (file) => {
  expect(findMissingPlatforms(readLock(file))).toEqual([])
})
