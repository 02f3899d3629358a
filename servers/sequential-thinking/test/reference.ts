/** What the reference server lists, without descriptions; recorded from its release 2026.8.31 over stdio. */

const flag = { type: ['boolean', 'string'] }
const count = { type: 'integer', minimum: 1, maximum: 9_007_199_254_740_991 }

export const referenceTool = {
  name: 'sequentialthinking',
  title: 'Sequential Thinking',
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  inputSchema: {
    type: 'object',
    properties: {
      thought: { type: 'string' },
      nextThoughtNeeded: flag,
      thoughtNumber: count,
      totalThoughts: count,
      isRevision: flag,
      revisesThought: count,
      branchFromThought: count,
      branchId: { type: 'string' },
      needsMoreThoughts: flag,
    },
    required: ['thought', 'nextThoughtNeeded', 'thoughtNumber', 'totalThoughts'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      thoughtNumber: { type: 'number' },
      totalThoughts: { type: 'number' },
      nextThoughtNeeded: { type: 'boolean' },
      branches: { type: 'array', items: { type: 'string' } },
      thoughtHistoryLength: { type: 'number' },
    },
    required: [
      'thoughtNumber',
      'totalThoughts',
      'nextThoughtNeeded',
      'branches',
      'thoughtHistoryLength',
    ],
    additionalProperties: false,
  },
}
