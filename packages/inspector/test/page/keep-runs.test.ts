import { expect, test } from 'vitest'

import { keepRuns, type Run } from '../../page/runs.ts'

function run(id: number, state: Run['state']): Run {
  return {
    id: `${id}`,
    server: 'a',
    method: 'tools/call',
    params: {},
    subject: 'slow',
    isTask: false,
    startedAt: id,
    state,
  }
}

test('of many runs the newest are kept, and every one that is still under way', () => {
  const ended = Array.from({ length: 400 }, (_, id) => run(id, 'done'))
  const waiting = Array.from({ length: 256 }, (_, id) => run(1_000 + id, 'running'))

  const kept = keepRuns([...ended, ...waiting])

  expect(kept.filter(({ state }) => state === 'running')).toHaveLength(256)
  expect(kept.filter(({ state }) => state === 'done')).toHaveLength(300)
})
