import { test } from 'vitest'

import { isThorough } from '../../../test-support/thorough.ts'
import { countsOf, findLeaks } from './leaks/find-leaks.mjs'

/** More show smaller leaks; `npm run leaks` has as many as are asked for. Each of the few has children of its own. */
const many = 2_000
const few = isThorough ? 30 : 6

// Each has a process of its own, and mostly waits for sessions to end.
test.concurrent.for([
  ['bridge', 'shared', many, 16],
  ['bridge', 'per-session', few, 3],
  ['gateway', 'shared', many, 16],
  ['gateway', 'per-session', few, 3],
] as const)(
  'ungraceful clients leave nothing behind at a %s: %s, %i sessions',
  async ([of, mode, sessions, lanes], { expect }) => {
    const { idle, before, after } = await findLeaks({ of, mode, sessions, lanes })

    expect(countsOf(after)).toEqual(countsOf(before))
    expect(after.connections).toBe(idle.connections)
    expect(after.children).toBe(idle.children)
    // What is left is compiled code and differs from run to run, by up to 2 MB; sessions that stayed would take 7 MB.
    expect(after.heapBytes - before.heapBytes).toBeLessThan(3_500_000)
  },
)
