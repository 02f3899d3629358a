import { expect, test } from 'vitest'

import { countsOf, findLeaks } from './leaks/find-leaks.mjs'

test.each([
  ['bridge', 'shared', 2_000, 16],
  ['bridge', 'per-session', 30, 6],
  ['gateway', 'shared', 2_000, 16],
  ['gateway', 'per-session', 30, 6],
] as const)(
  'ungraceful clients leave nothing behind at a %s: %s, %i sessions',
  async (of, mode, sessions, lanes) => {
    const { idle, before, after } = await findLeaks({ of, mode, sessions, lanes })

    expect(countsOf(after)).toEqual(countsOf(before))
    expect(after.connections).toBe(idle.connections)
    expect(after.children).toBe(idle.children)
    // What is left is compiled code; a few hundred bytes for each session would be more.
    expect(after.heapBytes - before.heapBytes).toBeLessThan(1_500_000)
  },
  300_000,
)
