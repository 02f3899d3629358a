import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { FindHistory } from '../sequential-thinking.ts'

const shown = z.object({
  thought: z.string(),
  thoughtNumber: z.number(),
  totalThoughts: z.number(),
  nextThoughtNeeded: z.boolean(),
  isRevision: z.boolean().optional(),
  revisesThought: z.number().optional(),
  branchFromThought: z.number().optional(),
  branchId: z.string().optional(),
  needsMoreThoughts: z.boolean().optional(),
})

/** The thoughts of this session so far. */
export function getThoughts(historyOf: FindHistory): Feature {
  return defineTool(
    'get_thoughts',
    {
      title: 'Thoughts so far',
      description: 'The thoughts of this session, the latest ones, or those of one branch.',
      inputSchema: z.object({
        branchId: z.string().optional().describe('Only those of this branch'),
        last: z.int().min(1).max(1_000).default(50).describe('How many at most'),
      }),
      outputSchema: z.object({
        thoughts: z.array(shown),
        total: z.int(),
        branches: z.array(z.string()),
      }),
      annotations: toolHints('reads'),
    },
    ({ branchId, last }, context) => {
      const history = historyOf(context)
      const all = history.thoughts()
      const found =
        branchId === undefined ? all : all.filter((thought) => thought.branchId === branchId)
      return {
        thoughts: found.slice(-last),
        total: found.length,
        branches: [...history.branches()],
      }
    },
  )
}
