import { defineResource, type Feature } from '@parley/mcp/server'

import { describeThought } from './describe-thought.ts'
import type { FindHistory } from './sequential-thinking.ts'

/** The thoughts of this session, for people. */
export function historyResource(historyOf: FindHistory): Feature {
  return defineResource(
    'thinking://history',
    {
      name: 'history',
      title: 'Thoughts so far',
      description: 'The thoughts of this session in the order they came',
      mimeType: 'text/markdown',
    },
    (_, context) => {
      const thoughts = historyOf(context).thoughts()
      const parts = thoughts.map(
        (thought) => `## ${describeThought(thought)}\n\n${thought.thought}`,
      )
      return ['# Thoughts', ...(parts.length > 0 ? parts : ['None so far.'])].join('\n\n')
    },
  )
}
