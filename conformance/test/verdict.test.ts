import { expect, test } from 'vitest'

import type { Run } from '../suite/plan.mjs'
import type { Check } from '../suite/results.mjs'
import { findStale, formatTable, judge, type Expected } from '../suite/verdict.mjs'

const run: Run = { leg: 'client', scenario: 'sse-retry', revision: '2025-06-18', isForced: false }
const known: Expected = {
  leg: 'client',
  scenario: 'sse-retry',
  revision: '2025-06-18',
  reason: 'because',
}
const good: Check = { id: 'a', status: 'SUCCESS' }
const bad: Check = { id: 'b', status: 'FAILURE', errorMessage: 'too late' }
const doubtful: Check = { id: 'c', status: 'WARNING', description: 'rather late' }

test('passes when something was checked and nothing failed or warned', () => {
  const { outcome, passed, skipped } = judge(run, [good, { id: 'd', status: 'SKIPPED' }], [])

  expect({ outcome, passed, skipped }).toEqual({ outcome: 'passed', passed: 1, skipped: 1 })
})

test('fails on a failure and on a warning', () => {
  expect(judge(run, [good, bad], [])).toMatchObject({
    outcome: 'failed',
    failed: 1,
    problems: ['b: too late'],
  })
  expect(judge(run, [good, doubtful], [])).toMatchObject({
    outcome: 'failed',
    warnings: 1,
    problems: ['c: rather late'],
  })
})

test('fails when nothing was checked', () => {
  expect(judge(run, [], []).outcome).toBe('failed')
  expect(judge(run, [{ id: 'd', status: 'INFO' }], []).outcome).toBe('failed')
})

test('accepts a failure that is listed for this leg, scenario and revision', () => {
  expect(judge(run, [bad], [known])).toMatchObject({ outcome: 'expected', problems: ['because'] })
  expect(judge(run, [bad], [{ ...known, leg: 'server' }]).outcome).toBe('failed')
  expect(judge(run, [bad], [{ ...known, revision: '2025-11-25' }]).outcome).toBe('failed')
})

test('fails when what is listed passes, or is not run at all', () => {
  expect(judge(run, [good], [known]).outcome).toBe('failed')
  expect(findStale([known, { ...known, scenario: 'gone' }], [run])).toEqual([
    { ...known, scenario: 'gone' },
  ])
})

test('prints a line for each run and one for each of its problems', () => {
  const table = formatTable([judge(run, [good], []), judge({ ...run, isForced: true }, [bad], [])])

  expect(table.split('\n')).toEqual([
    '                           scenario     passed  failed  warnings  skipped',
    '  ✓  client   2025-06-18   sse-retry         1       0         0        0',
    '  ✗  client   2025-06-18   sse-retry *       0       1         0        0',
    '      b: too late',
    '',
    '  * the suite lists it for later revisions only',
  ])
})
