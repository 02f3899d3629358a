import { expect, test } from 'vitest'

import { countsOf, findLeaks } from './leaks/find-leaks.mjs'

test.each([
  ['shared', 2_000, 16],
  ['per-session', 30, 6],
] as const)(
  'ungraceful clients leave nothing behind: %s, %i sessions',
  async (mode, sessions, lanes) => {
    const { before, after } = await findLeaks({ mode, sessions, lanes })

    expect(countsOf(after)).toEqual(countsOf(before))
    expect(after.connections).toBe(0)
    // A session takes some kilobytes while it lasts; the compiler and its caches are in the heap too.
    expect(after.heapBytes - before.heapBytes).toBeLessThan(4_000_000 + sessions * 500)
  },
  300_000,
)
