// The workload as a Parley server definition.
import { createServer } from '@parley/mcp/server'
import { z } from 'zod'

import { describeSearch, searchTools } from './search-tool.mjs'
import { echoDescription, largeText, numberFlag, reports } from './workload.mjs'

/** A new definition with the tools of the workload, and as many layers of middleware as `--middleware N` says. */
export function createWorkload() {
  const server = createServer({ name: 'parley', version: '1.0.0' })
  server.tool(
    'echo',
    { description: echoDescription, inputSchema: z.object({ text: z.string() }) },
    ({ text }) => text,
  )
  for (const name of searchTools()) {
    const { description, annotations, input, output } = describeSearch(z)
    server.tool(
      name,
      { description, annotations, inputSchema: z.object(input), outputSchema: z.object(output) },
      ({ path }) => ({ paths: [path] }),
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
