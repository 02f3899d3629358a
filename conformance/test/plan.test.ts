import { expect, test } from 'vitest'

import type { Scenario } from '../suite/listing.mjs'
import { planRuns, planSingleRevision, whyOpen } from '../suite/plan.mjs'

const scenarios: readonly Scenario[] = [
  { leg: 'server', name: 'server-initialize', revisions: ['2025-06-18', '2025-11-25'] },
  { leg: 'server', name: 'server-stateless', revisions: ['2026-07-28'] },
  { leg: 'server', name: 'tasks-lifecycle', revisions: ['extension'] },
  { leg: 'client', name: 'initialize', revisions: ['2025-06-18', '2025-11-25'] },
]

test('runs each scenario at every revision that is spoken and that has it', () => {
  const runs = planRuns('2.0.0', scenarios, ['2025-11-25', '2025-06-18', '2024-11-05'])

  expect(runs.map(({ leg, revision, scenario }) => `${leg} ${revision} ${scenario}`)).toEqual([
    'server 2025-11-25 server-initialize',
    'server 2025-06-18 server-initialize',
    'client 2025-11-25 initialize',
    'client 2025-06-18 initialize',
  ])
})

test('runs extensions at 2026-07-28, which they belong to', () => {
  const runs = planRuns('2.0.0', scenarios, ['2026-07-28'])

  expect(runs).toEqual([
    expect.objectContaining({ scenario: 'server-stateless', isExtension: false }),
    expect.objectContaining({ scenario: 'tasks-lifecycle', isExtension: true }),
  ])
})

test('runs everything once with a release that plays one revision', () => {
  const runs = planSingleRevision('1.0.0', scenarios)

  expect(runs).toHaveLength(scenarios.length)
  expect(new Set(runs.map(({ revision }) => revision))).toEqual(new Set(['2025-11-25']))
})

test('leaves open what is named so, by leg, name and revision', () => {
  const [run] = planRuns('2.0.0', scenarios, ['2025-11-25'])
  if (run === undefined) throw new Error('nothing is planned')
  const open = { leg: 'server', begins: 'server-', reason: 'because' } as const

  expect(whyOpen(run, [open])).toBe('because')
  expect(whyOpen(run, [{ ...open, revision: '2025-11-25' }])).toBe('because')
  expect(whyOpen(run, [{ ...open, revision: '2025-06-18' }])).toBeUndefined()
  expect(whyOpen(run, [{ ...open, leg: 'client' }])).toBeUndefined()
  expect(whyOpen(run, [{ ...open, begins: 'client-' }])).toBeUndefined()
})
