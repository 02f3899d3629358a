// The workload as a Parley server definition.
import { createServer } from '@parley/mcp/server'
import { z } from 'zod'

import { echoDescription, extraTools, largeText } from './workload.mjs'

/** A new definition with the tools of the workload. */
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
  return server
}
