import type { ElicitResult } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { canTakeTasks, followTask } from './asked-task.ts'
import { describeInputs } from './elicitation-request.ts'

const form = z.object({
  name: z.string().describe('Your name').meta({ title: 'Name' }),
  favoriteColor: z
    .enum(['Red', 'Blue', 'Green', 'Yellow', 'Purple'])
    .optional()
    .describe('The colour you like best')
    .meta({ title: 'Colour' }),
  agreeToTerms: z.boolean().optional().describe('Whether you agree').meta({ title: 'Terms' }),
})

const labels = {
  name: 'Name',
  favoriteColor: 'Favorite Color',
  agreeToTerms: 'Agreed to terms',
}

type Form = z.infer<typeof form>

/** Asks the user for a task, and follows it: no request waits while they think. */
export const elicitationRequestAsync = defineTool(
  'trigger-elicitation-request-async',
  {
    title: 'Trigger Async Elicitation Request Tool',
    description:
      'Asks the user to fill in a form as a task, and asks for its state until they have.',
    inputSchema: z.object({}),
    annotations: toolHints('adds'),
    task: 'never',
    visible: (context) => canTakeTasks(context, 'elicitation'),
  },
  async (_, { elicit }) => {
    const followed = followTask(600_000, 600)
    const message = 'Please provide inputs for the following fields (async task demo):'
    try {
      const result = await elicit({ message, requestedSchema: form }, { task: followed.task })
      const shown = JSON.stringify(result, null, 2)
      if (!followed.isStarted) return `[SYNC] Client executed synchronously:\n${shown}`
      return [...describe(result), `\nProgress:\n${followed.progress}\n\nRaw result: ${shown}`]
    } catch (error) {
      return followed.describeEnd(error)
    }
  },
)

function describe(result: ElicitResult<Form>): readonly string[] {
  switch (result.action) {
    case 'accept':
      return [
        '[COMPLETED] User provided the requested information!',
        describeInputs(labels, result.content),
      ]
    case 'decline':
      return ['[DECLINED] User declined to provide the requested information.']
    case 'cancel':
      return ['[CANCELLED] User cancelled the elicitation dialog.']
  }
}
