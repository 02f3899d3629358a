import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { canTakeTasks, followTask } from './asked-task.ts'
import { promptFor } from './sampling-request.ts'

/** Asks the client's model for a task, and follows it. */
export const samplingRequestAsync = defineTool(
  'trigger-sampling-request-async',
  {
    title: 'Trigger Async Sampling Request Tool',
    description:
      "Sends the prompt to the client's model as a task, asks for its state until it is done, and shows what it said.",
    inputSchema: z.object({
      prompt: z.string().describe('What to ask the model'),
      maxTokens: z.number().default(100).describe('The longest answer'),
    }),
    annotations: toolHints('adds', { openWorld: true }),
    task: 'never',
    visible: (context) => canTakeTasks(context, 'sampling'),
  },
  async ({ prompt, maxTokens }, { sample }) => {
    const followed = followTask(300_000, 60)
    const params = promptFor('trigger-sampling-request-async', prompt, maxTokens)
    try {
      const result = await sample(params, { task: followed.task })
      const shown = JSON.stringify(result, null, 2)
      return followed.isStarted
        ? `[COMPLETED] Async sampling completed!\n\n**Progress:**\n${followed.progress}\n\n**Result:**\n${shown}`
        : `[SYNC] Client executed synchronously:\n${shown}`
    } catch (error) {
      return followed.describeEnd(error)
    }
  },
)
