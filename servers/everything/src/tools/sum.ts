import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

/** Two arguments of another type than text. */
export const sum = defineTool(
  'get-sum',
  {
    title: 'Get Sum Tool',
    description: 'Adds two numbers.',
    inputSchema: z.object({
      a: z.number().describe('The first number'),
      b: z.number().describe('The second number'),
    }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  ({ a, b }) => `The sum of ${a} and ${b} is ${a + b}.`,
)
