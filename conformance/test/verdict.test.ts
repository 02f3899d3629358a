import { expect, test } from 'vitest'

import type { Run } from '../suite/plan.mjs'
import type { Check } from '../suite/results.mjs'
import { findStale, formatTable, classify, type Expected, type Failing } from '../suite/verdict.mjs'

const run: Run = {
  release: '2.0.0',
  leg: 'client',
  scenario: 'sse-retry',
  revision: '2025-06-18',
  isExtension: false,
}
const known: Failing = {
  release: '2.0.0',
  leg: 'client',
  scenario: 'sse-retry',
  revision: '2025-06-18',
  reason: 'because',
}
const nothing: Expected = { open: [], failing: [] }
const good: Check = { id: 'a', status: 'SUCCESS' }
const bad: Check = { id: 'b', status: 'FAILURE', errorMessage: 'too late' }
const doubtful: Check = { id: 'c', status: 'WARNING', description: 'rather late' }

function outcomeOf(checks: readonly Check[], failing: Failing) {
  return classify(run, checks, { open: [], failing: [failing] }).outcome
}

test('passes when something was checked and nothing failed or warned', () => {
  const { outcome, passed, skipped } = classify(
    run,
    [good, { id: 'd', status: 'SKIPPED' }],
    nothing,
  )

  expect({ outcome, passed, skipped }).toEqual({ outcome: 'passed', passed: 1, skipped: 1 })
})

test('fails on a failure and on a warning', () => {
  expect(classify(run, [good, bad], nothing)).toMatchObject({
    outcome: 'failed',
    failed: 1,
    problems: ['b: too late'],
  })
  expect(classify(run, [good, doubtful], nothing)).toMatchObject({
    outcome: 'failed',
    warnings: 1,
    problems: ['c: rather late'],
  })
})

test('fails when nothing was checked, or nothing but the schema of what was sent', () => {
  const schema: Check = { id: 'wire-schema-valid', status: 'SUCCESS' }

  expect(classify(run, [], nothing).outcome).toBe('failed')
  expect(classify(run, [{ id: 'd', status: 'INFO' }], nothing).outcome).toBe('failed')
  expect(classify(run, [schema, { id: 'd', status: 'SKIPPED' }], nothing).outcome).toBe('failed')
})

test('accepts a failure that is listed for this release, leg, scenario and revision', () => {
  expect(classify(run, [bad], { open: [], failing: [known] })).toMatchObject({
    outcome: 'expected',
    problems: ['because'],
  })
  expect(outcomeOf([bad], { ...known, release: '1.0.0' })).toBe('failed')
  expect(outcomeOf([bad], { ...known, leg: 'server' })).toBe('failed')
  expect(outcomeOf([bad], { ...known, scenario: 'ping' })).toBe('failed')
  expect(outcomeOf([bad], { ...known, revision: '2025-11-25' })).toBe('failed')
})

test('says why a run is open, and does not let it pass', () => {
  const open = [{ leg: 'client', begins: 'sse-', reason: 'not yet' } as const]

  expect(classify(run, [], { open, failing: [] })).toMatchObject({
    outcome: 'open',
    problems: ['not yet'],
  })
})

test('fails when what is listed passes, and finds what is not run at all', () => {
  expect(outcomeOf([good], known)).toBe('failed')

  const used = { leg: 'client', begins: 'sse-', reason: 'not yet' } as const
  const unused = { leg: 'client', begins: 'auth/', reason: 'not yet' } as const
  const gone = { ...known, scenario: 'gone' }
  expect(findStale({ open: [used, unused], failing: [known, gone] }, [run])).toEqual([unused, gone])
})

test('prints a line for each run and one for each of its problems', () => {
  const table = formatTable([classify(run, [good], nothing), classify(run, [bad], nothing)])

  expect(table.split('\n')).toEqual([
    '                                           scenario   passed  failed  warnings  skipped',
    '  ✓  2.0.0           client   2025-06-18   sse-retry       1       0         0        0',
    '  ✗  2.0.0           client   2025-06-18   sse-retry       0       1         0        0',
    '      b: too late',
  ])
})
