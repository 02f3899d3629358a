import { setTimeout as wait } from 'node:timers/promises'

import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

/** Beyond this a timer fires at once. */
const maxTimerMs = 2 ** 31 - 1

/** Work that takes its time, says how far it has come, and stops when nobody waits any more. */
export const longRunningOperation = defineTool(
  'trigger-long-running-operation',
  {
    title: 'Trigger Long Running Operation Tool',
    description: 'Takes as long as asked, and tells its progress after each step.',
    inputSchema: z.object({
      duration: z.number().default(10).describe('In seconds'),
      steps: z.number().default(5).describe('How often to tell progress'),
    }),
    annotations: toolHints('reads'),
    task: 'never',
  },
  async ({ duration, steps }, { progress, signal }) => {
    const stepMs = Math.min((duration * 1_000) / steps, maxTimerMs)
    for (let step = 1; step <= steps; step += 1) {
      await wait(stepMs, undefined, { signal })
      await progress({ progress: step, total: steps })
    }
    return `Long running operation completed. Duration: ${duration} seconds, Steps: ${steps}.`
  },
)
