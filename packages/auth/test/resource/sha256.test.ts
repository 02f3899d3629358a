import fc from 'fast-check'
import { expect, test } from 'vitest'

import { sha256 as byNode } from '../../src/resource/sha256-node.ts'
import { sha256 as byWeb } from '../../src/resource/sha256-web.ts'

test('every runtime has the same hash of a token', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (token) => {
      expect(await byWeb(token)).toBe(await byNode(token))
    }),
  )
})
