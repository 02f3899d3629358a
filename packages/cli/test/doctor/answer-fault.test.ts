import { expect, test } from 'vitest'

import { replyProblem } from '../../src/doctor/answer-fault.ts'

const result = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  serverInfo: { name: 'a', version: '1' },
}
const good = { jsonrpc: '2.0', id: 1, result }

function faultIn(answer: object, session?: string): string | undefined {
  const http = { status: 200, body: '', header: () => session }
  const found = replyProblem({
    messages: [],
    noise: [],
    ended: 'answered',
    answer: { ...answer },
    http,
  })
  return found && `${found.seen} ${found.fix}`
}

test('an answer that clients take has no fault', () => {
  expect(faultIn(good)).toBeUndefined()
  expect(faultIn(good, 'abc-123')).toBeUndefined()
  expect(faultIn({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } })).toBeUndefined()
  expect(faultIn({ ...good, result: { supportedVersions: [] } })).toBeUndefined()
})

test.each([
  ['another jsonrpc', { ...good, jsonrpc: '1.0' }, undefined, /jsonrpc is "1.0".*BASE-04/],
  ['the id as text', { ...good, id: '1' }, undefined, /the answer has "1".*BASE-09/],
  ['a space in its session', good, 'a b', /Mcp-Session-Id is a b.*HSESS-03/],
  ['no name', { ...good, result: { ...result, serverInfo: {} } }, undefined, /serverInfo.*LIFE-03/],
  [
    'nothing it can',
    { ...good, result: { ...result, capabilities: 1 } },
    undefined,
    /capabilities/,
  ],
])('%s is one [LIFE-03, BASE-04, BASE-09, HSESS-03]', (_, answer, session, words) => {
  expect(faultIn(answer, session)).toMatch(words)
})
