// The workload as a Parley server definition.
import { createServer } from '@parley/mcp/server'
import { z } from 'zod'

import { echoDescription, extraTools, largeText, numberFlag, reports } from './workload.mjs'

/** A new definition with the tools of the workload, and as many layers of middleware as `--middleware N` says. */
export function createWorkload() {
  const server = createServer({ name: 'parley', version: '1.0.0' })
  for (const name of ['echo', ...extraTools()]) {
    server.tool(
      name,
      { description: echoDescription, inputSchema: z.object({ text: z.string() }) },
      ({ text }) => text,
    )
  }
  server.tool('large', {}, () => largeText)
  server.tool(
    'size',
    { inputSchema: z.object({ text: z.string() }) },
    ({ text }) => `${text.length}`,
  )
  server.tool('report', {}, async (_, { progress }) => {
    for (let count = 1; count <= reports; count++) await progress({ progress: count })
    return 'done'
  })
  for (let layers = numberFlag('--middleware', 0); layers > 0; layers--) {
    server.use((call, next) => next())
  }
  return server
}
