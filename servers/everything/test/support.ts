import type { CallToolResult } from '@parley/mcp'
import { createTestClient, type TestClient, type TestOptions } from '@parley/mcp/testing'
import { describe } from 'vitest'

import { triedRevisions } from '../../../test-support/revisions.ts'
import { createEverythingServer, type EverythingOptions } from '../src/everything.ts'

export type Everything = TestClient<Record<string, { input: object; output: unknown }>>

/** A client of a fresh server, in one revision. */
export type Open = (options?: TestOptions, server?: EverythingOptions) => Promise<Everything>

/** Runs the same tests in every revision we speak. */
export function inEveryRevision(body: (open: Open, revision: string) => void): void {
  describe.each(triedRevisions)('in %s', (revision) => {
    body(
      (options, server) =>
        createTestClient(createEverythingServer(server), { revision, through: 'text', ...options }),
      revision,
    )
  })
}

/** A client that can be asked everything. */
export const answering = {
  roots: [{ uri: 'file:///home/ada', name: 'home' }],
  sample: () => ({
    role: 'assistant' as const,
    content: { type: 'text' as const, text: 'Forty-two.' },
    model: 'scripted',
    stopReason: 'endTurn',
  }),
  elicit: () => ({ action: 'accept' as const, content: { name: 'Ada', integer: 7 } }),
}

/** The text of a result, block by block. */
export function textsOf({ content }: CallToolResult): readonly string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
}
