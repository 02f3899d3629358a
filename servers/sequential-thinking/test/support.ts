import { createTestClient, type TestOptions } from '@parley/mcp/testing'

import {
  createSequentialThinkingServer,
  type SequentialThinkingOptions,
} from '../src/sequential-thinking.ts'

/** A client of a fresh server. */
export function openClient(server: SequentialThinkingOptions = {}, options: TestOptions = {}) {
  return createTestClient(createSequentialThinkingServer(server), options)
}

/** A step that is complete, with these changes. */
export function step(change: Record<string, unknown> = {}): Record<string, unknown> {
  return { thought: 'Hm.', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 3, ...change }
}
