import type { Assertion, CollectionRun } from '@parley/inspector'
import { describe, expect, test } from 'vitest'

import { compareRuns } from '../../../page/collections/compare-runs.ts'

const succeeds: Assertion = { kind: 'succeeds' }
const fast: Assertion = { kind: 'latency', atMostMs: 10 }

type Result = CollectionRun['results'][number]

function result(request: string, more: Partial<Result> = {}, text = 'hello'): Result {
  return {
    request,
    outcome: { run: 'r', durationMs: 5, result: { text } },
    assertions: [{ assertion: succeeds, passed: true }],
    passed: true,
    ...more,
  }
}

function run(...results: readonly Result[]): CollectionRun {
  return { collection: 'smoke', at: 1, results }
}

describe('two runs of a collection', () => {
  test('are the same where nothing changed', () => {
    expect(compareRuns(run(result('a')), run(result('a')))).toMatchObject([
      { request: 'a', change: 'same', assertions: [], slowerMs: 0, isSameAnswer: true },
    ])
  })

  test.each([
    ['fixed', true, false],
    ['broken', false, true],
  ] as const)('%s: which assertion it was', (change, now, before) => {
    const at = (passed: boolean) =>
      run(
        result('a', {
          passed,
          assertions: [
            { assertion: succeeds, passed: true },
            { assertion: fast, passed },
          ],
        }),
      )

    expect(compareRuns(at(now), at(before))).toMatchObject([
      { change, assertions: [{ assertion: fast, now, before }] },
    ])
  })

  test('tell what takes longer, and another answer', () => {
    const slow = result('a', {
      outcome: { run: 'other', durationMs: 25, result: { text: 'bye' } },
    })

    expect(compareRuns(run(slow), run(result('a')))).toMatchObject([
      { slowerMs: 20, isSameAnswer: false },
    ])
  })

  test('do not guess about answers that were not kept', () => {
    const [compared] = compareRuns(run(result('a', { cutBytes: 99_999 })), run(result('a')))

    expect(compared).not.toHaveProperty('isSameAnswer')
  })

  test('name requests and assertions that came and went', () => {
    const now = run(result('b', { assertions: [{ assertion: fast, passed: true }] }), result('c'))
    const before = run(result('a'), result('b'))

    expect(compareRuns(now, before).map(({ request, change }) => [request, change])).toEqual([
      ['b', 'same'],
      ['c', 'new'],
      ['a', 'gone'],
    ])
    expect(compareRuns(now, before)[0]?.assertions).toEqual([
      { assertion: fast, now: true },
      { assertion: succeeds, before: true },
    ])
  })
})
