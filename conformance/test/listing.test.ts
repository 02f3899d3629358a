import { expect, test } from 'vitest'

import { readRequired, readScenarios } from '../suite/listing.mjs'

test('reads the scenarios of servers and clients, each with its revisions', () => {
  const listing = `Server scenarios (test against a server):
  - server-initialize [2025-06-18,2025-11-25]
  - tasks-lifecycle [extension]

Client scenarios (test against a client):
  - auth/iss-supported [2026-07-28]

Authorization server scenarios (test against an authorization server):
  - authorization-code-grant [2025-03-26,2025-06-18]
`

  expect(readScenarios(listing)).toEqual([
    { leg: 'server', name: 'server-initialize', revisions: ['2025-06-18', '2025-11-25'] },
    { leg: 'server', name: 'tasks-lifecycle', revisions: ['extension'] },
    { leg: 'client', name: 'auth/iss-supported', revisions: ['2026-07-28'] },
  ])
})

test('reads what a revision requires, without what is only run', () => {
  const listing = `Required for 2026-07-28 (2 scenarios, frozen; run at the 2026-07-28 wire):

Server scenarios (test against a server):
  - server-stateless

Client scenarios (test against a client):
  - tools_call

Run and reported, but never scored:
  pending (1):
    - json-schema-2020-12 [server]
`

  expect([...readRequired(listing)]).toEqual(['server server-stateless', 'client tools_call'])
})
