import { resourceLink } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { demoUri } from '../demo-resource.ts'

/** Pointers to resources, which the client may read when it wants them. */
export const resourceLinks = defineTool(
  'get-resource-links',
  {
    title: 'Get Resource Links Tool',
    description: 'Answers with links to up to ten resources, text and binary in turn.',
    inputSchema: z.object({
      count: z.number().min(1).max(10).default(3).describe('How many links'),
    }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  ({ count }) => [
    `Here are ${count} resource links to resources available in this server:`,
    ...Array.from({ length: Math.floor(count) }, (_, index) => linkTo(index + 1)),
  ],
)

function linkTo(id: number) {
  const type = id % 2 === 0 ? 'Text' : 'Blob'
  return resourceLink({
    uri: demoUri(type, id),
    name: `${type} Resource ${id}`,
    description: `Resource ${id}: ${type === 'Text' ? 'plain text' : 'binary data'}`,
    mimeType: 'text/plain',
  })
}
