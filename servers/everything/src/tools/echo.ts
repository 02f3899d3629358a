import { defineTool } from '@parley/mcp/server'
import { z } from 'zod'

import { looksOnly } from '../hints.ts'

/** The smallest tool. */
export const echo = defineTool(
  'echo',
  {
    title: 'Echo Tool',
    description: 'Says the message back.',
    inputSchema: z.object({ message: z.string().describe('What to say') }),
    annotations: looksOnly,
  },
  ({ message }) => `Echo: ${message}`,
)
