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
    // What is left is compiled code; a few hundred bytes for each session would be more.
    expect(after.heapBytes - before.heapBytes).toBeLessThan(1_500_000)
  },
  300_000,
)
