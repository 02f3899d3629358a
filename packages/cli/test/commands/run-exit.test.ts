import type { TurnEnd } from '@parley/host'
import { expect, test } from 'vitest'

import { turnExit } from '../../src/run/turn-exit.ts'

const { signal } = new AbortController()
const ends: readonly (readonly [Omit<TurnEnd, 'type' | 'text'>, number, string])[] = [
  [{ reason: 'answered' }, 0, 'answered'],
  [{ reason: 'unanswered' }, 3, 'unanswered'],
  [{ reason: 'model-error' }, 4, 'model-error'],
  [{ reason: 'tool-error', unreachable: ['notes'] }, 4, 'server-unreachable'],
  [{ reason: 'tool-error' }, 5, 'tool-error'],
  [{ reason: 'limit' }, 5, 'limit'],
]

test.each(ends)('a turn that ends with %j exits with %d', (end, code, reason) => {
  const exit = turnExit({ type: 'end', text: '', ...end }, 0, signal)

  expect(exit).toMatchObject({ code, reason })
  expect(exit.error === undefined).toBe(code === 0)
})
