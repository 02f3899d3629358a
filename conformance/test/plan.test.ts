import { expect, test } from 'vitest'

import { planRuns, readScenarios } from '../suite/plan.mjs'

const listing = `Server scenarios (test against a server):
  - server-initialize [2025-06-18,2025-11-25]
  - server-session-lifecycle [2025-03-26,2025-06-18,2025-11-25]
  - server-stateless [2026-07-28]
  - dns-rebinding-protection [2025-11-25,2026-07-28]
  - tasks-lifecycle [extension]

Client scenarios (test against a client):
  - initialize [2025-06-18,2025-11-25]
  - auth/token-endpoint-auth-none [2025-06-18,2025-11-25]
  - sse-retry [2025-11-25]

Authorization server scenarios (test against an authorization server):
  - authorization-code-grant [2025-03-26,2025-06-18]
`

function plan(...spoken: string[]) {
  return planRuns(readScenarios(listing), spoken).map(
    ({ leg, scenario, revision, isForced }) =>
      `${leg} ${revision} ${scenario}${isForced ? ' forced' : ''}`,
  )
}

test('runs each scenario at every revision that is spoken and that has it', () => {
  const runs = plan('2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05')

  expect(runs).toEqual([
    'server 2025-11-25 server-initialize',
    'server 2025-11-25 server-session-lifecycle',
    'server 2025-11-25 dns-rebinding-protection',
    'server 2025-06-18 server-initialize',
    'server 2025-06-18 server-session-lifecycle',
    'server 2025-03-26 server-session-lifecycle',
    'client 2025-11-25 initialize',
    'client 2025-11-25 sse-retry',
    'client 2025-06-18 initialize',
  ])
})

test('runs what older revisions ask for too at the newest one, while no revision that has it is spoken', () => {
  const runs = plan('2025-06-18', '2025-03-26')

  expect(runs.filter((run) => run.endsWith(' forced'))).toEqual([
    'server 2025-06-18 dns-rebinding-protection forced',
    'client 2025-06-18 sse-retry forced',
  ])
})
