import { setTimeout as wait } from 'node:timers/promises'

import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { icons } from '../icons.ts'

/** A task if it takes long and the caller can follow one; an ordinary call otherwise. */
export const countSlowly = defineTool(
  'count-slowly',
  {
    title: 'Count Slowly Tool',
    description: 'Counts, with a pause before each number; becomes a task if that takes long.',
    inputSchema: z.object({
      to: z.int().min(1).max(1_000).default(5).describe('The last number'),
      pauseMs: z.int().min(0).max(60_000).default(500).describe('Before each number'),
    }),
    outputSchema: z.object({ counted: z.int() }),
    annotations: toolHints('reads'),
    icons,
    task: 'optional',
  },
  async ({ to, pauseMs }, { progress, signal }) => {
    for (let number = 1; number <= to; number += 1) {
      await wait(pauseMs, undefined, { signal })
      await progress({ progress: number, total: to, message: `counted to ${number}` })
    }
    return { counted: to }
  },
)
