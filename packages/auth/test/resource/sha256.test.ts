import { createHash } from 'node:crypto'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { sha256 } from '../../src/resource/sender-check.ts'

test('a token has the hash that Node finds too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (token) => {
      expect(await sha256(token)).toBe(createHash('sha256').update(token).digest('base64url'))
    }),
  )
})
