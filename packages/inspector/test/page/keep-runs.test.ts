import { expect, test } from 'vitest'

import { keepRuns } from '../../page/keep-runs.ts'

test('of many runs the newest are kept, and every one that is still under way', () => {
  const ended = Array.from({ length: 400 }, (_, id) => ({ id, state: 'done' as const }))
  const waiting = Array.from({ length: 256 }, (_, id) => ({ id, state: 'running' as const }))

  const kept = keepRuns([...ended, ...waiting], 300)

  expect(kept.filter(({ state }) => state === 'running')).toHaveLength(256)
  expect(kept.filter(({ state }) => state === 'done')).toEqual(ended.slice(0, 300))
})
