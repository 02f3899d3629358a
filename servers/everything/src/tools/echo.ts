import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

/** The smallest tool. */
export const echo = defineTool(
  'echo',
  {
    title: 'Echo Tool',
    description: 'Says the message back.',
    inputSchema: z.object({ message: z.string().describe('What to say') }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  ({ message }) => `Echo: ${message}`,
)
