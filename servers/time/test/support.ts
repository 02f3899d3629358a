import { createTestClient, type TestOptions } from '@parley/mcp/testing'

import { createTimeServer, type TimeServerOptions } from '../src/time.ts'

/** A client of a fresh server whose clock stands still. */
export function openClient(at: string, server: TimeServerOptions = {}, options: TestOptions = {}) {
  const now = () => Date.parse(at)
  const localTimezone = 'Europe/Warsaw'
  return createTestClient(createTimeServer({ localTimezone, now, ...server }), options)
}
