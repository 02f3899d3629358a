import type { statSync } from 'node:fs'

import { expect, test } from 'vitest'

import { kindOf } from '../../src/dev/watch-sources.ts'

test('a file that Windows is just removing is one that is gone', () => {
  const rejected = (() => {
    throw Object.assign(new Error('EPERM: operation not permitted, stat'), { code: 'EPERM' })
  }) as unknown as typeof statSync // only called

  expect(kindOf('file.ts', rejected)).toBeUndefined()
  expect(kindOf('no-such-file.ts')).toBeUndefined()
  expect(kindOf('package.json')?.isFile()).toBe(true)
})
