import { withJsonSchema } from '@parley/mcp'
import { z } from 'zod'

/** Models write numbers and booleans as text now and then. */
const count = z.coerce.number().int().min(1)
const flag = z.union([
  z.boolean(),
  z.stringFormat('boolean', /^(?:true|false)$/i).transform(isTrue),
])

function isTrue(text: string): boolean {
  return text.toLowerCase() === 'true'
}

const parsed = z.object({
  thought: z.string(),
  nextThoughtNeeded: flag,
  thoughtNumber: count,
  totalThoughts: count,
  isRevision: flag.optional(),
  revisesThought: count.optional(),
  branchFromThought: count.optional(),
  branchId: z.string().optional(),
  needsMoreThoughts: flag.optional(),
})

/** One step of thinking. */
export type Thought = z.output<typeof parsed>

const shownFlag = { type: ['boolean', 'string'] }
const shownCount = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

/** What a step is given as; lists show it the way the reference does. */
export const thoughtSchema = withJsonSchema(parsed, {
  input: {
    type: 'object',
    properties: {
      thought: { type: 'string', description: 'This step of thinking' },
      nextThoughtNeeded: { ...shownFlag, description: 'Whether another step is to follow' },
      thoughtNumber: { ...shownCount, description: 'The number of this step' },
      totalThoughts: { ...shownCount, description: 'How many steps it will take, as of now' },
      isRevision: { ...shownFlag, description: 'Whether an earlier step is thought over' },
      revisesThought: { ...shownCount, description: 'The number of that step' },
      branchFromThought: { ...shownCount, description: 'The step from which another way is tried' },
      branchId: { type: 'string', description: 'A name for that way' },
      needsMoreThoughts: {
        ...shownFlag,
        description: 'Whether more steps are needed than planned',
      },
    },
    required: ['thought', 'nextThoughtNeeded', 'thoughtNumber', 'totalThoughts'],
  },
})
