/** A small server to be tested; `test/testing.test.ts` shows how. */

import { defineTool, createServer, type Server, type ToolsOf } from '@parley/mcp/server'
import { z } from 'zod'

const add = defineTool(
  'add',
  {
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
    annotations: { readOnlyHint: true },
  },
  ({ a, b }) => ({ sum: a + b }),
)

/** Works until it is told to stop. */
const wait = defineTool('wait', { timeoutMs: 60_000 }, async (_, { signal }) => {
  await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
})

const whoAmI = defineTool('who_am_i', { scopes: ['profile'] }, (_, { auth }) => auth?.subject ?? '')

const features = [add, wait, whoAmI] as const

/** The tools are in its type: `connect(createCalculator())` knows their arguments. */
export function createCalculator(): Server<unknown, ToolsOf<typeof features>> {
  return createServer({ name: 'calculator', version: '1.0.0', features })
}
