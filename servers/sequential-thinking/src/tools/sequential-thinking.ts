import { ToolError } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { prettyResult, toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { FindHistory } from '../sequential-thinking.ts'
import { thoughtSchema, type Thought } from '../thought.ts'

const description = `Thinks about a problem in steps that build on each other, and can be revised, branched and extended.

Use it for problems that want a plan, whose extent is not clear at first, that take several steps, or where what matters has to be told from what does not.

- Begin with an estimate of totalThoughts, and change it as you learn more; go on past it when needed.
- Doubt and revise: set isRevision and revisesThought to think a step over.
- Try another way from any step: set branchFromThought and branchId.
- Form a hypothesis, check it against the steps before, and repeat until it holds.
- Set nextThoughtNeeded to false only when the answer is there and satisfies.`

/** One step of thinking. It adds to what the caller itself said so far, and changes nothing else. */
export function sequentialThinking(
  historyOf: FindHistory,
  onThought: (thought: Thought) => void,
): Feature {
  return defineTool(
    'sequentialthinking',
    {
      title: 'Sequential Thinking',
      description,
      inputSchema: thoughtSchema,
      outputSchema: z.object({
        thoughtNumber: z.number(),
        totalThoughts: z.number(),
        nextThoughtNeeded: z.boolean(),
        branches: z.array(z.string()),
        thoughtHistoryLength: z.number(),
      }),
      annotations: toolHints('reads'), // what it remembers is the caller's own
      task: 'never',
    },
    (input, context) => {
      const { thoughtNumber, nextThoughtNeeded } = input
      const totalThoughts = Math.max(input.totalThoughts, thoughtNumber)
      const thought = { ...input, totalThoughts }
      const history = historyOf(context)
      if (!history.add(thought)) {
        throw new ToolError('The thought is too long to be kept. Think in smaller steps.')
      }
      onThought(thought)
      return prettyResult({
        thoughtNumber,
        totalThoughts,
        nextThoughtNeeded,
        branches: history.branches(),
        thoughtHistoryLength: history.thoughts().length,
      })
    },
  )
}
