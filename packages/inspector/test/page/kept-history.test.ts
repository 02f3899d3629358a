import { expect, test } from 'vitest'

import { fitting } from '../../page/fitting.ts'
import { areRuns, fromStored, toKeep } from '../../page/kept-history.ts'

function makeRun(id: string, more: object = {}) {
  const outcome = { run: id, durationMs: 1, result: {} }
  return { id, server: 'a', subject: 'echo', params: {}, state: 'done' as const, outcome, ...more }
}

test('what was under way when the page was left says so, and the rest is as it was', () => {
  const runs = [makeRun('1', { state: 'running', outcome: undefined }), makeRun('2')]

  const kept = fromStored(toKeep(runs))

  expect(kept[0]).toMatchObject({ state: 'done', outcome: { error: { code: 'page_reloaded' } } })
  expect(kept[1]).toEqual(runs[1])
  expect(areRuns(JSON.parse(JSON.stringify(kept)))).toBe(true)
  expect(areRuns([{ id: 1 }])).toBe(false)
})

test('a result that would leave no room for others is left out, and that is said', () => {
  const large = { run: '1', durationMs: 1, result: { text: 'x'.repeat(200_000) } }

  const [kept] = toKeep([makeRun('1', { outcome: large })])

  expect(kept?.outcome).toEqual({
    run: '1',
    durationMs: 1,
    error: expect.objectContaining({ code: 'not_kept' }),
  })
})

test('the first that fit together are kept', () => {
  expect(fitting(['aaaa', 'bbbb', 'cccc'], 18)).toBe('["aaaa","bbbb"]')
  expect(fitting(['a'.repeat(100)], 18)).toBe('[]')
})
