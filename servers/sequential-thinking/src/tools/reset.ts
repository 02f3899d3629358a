import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { FindHistory } from '../sequential-thinking.ts'

/** Forgets the thoughts of this session. */
export function reset(historyOf: FindHistory): Feature {
  return defineTool(
    'reset',
    {
      title: 'Forget all thoughts',
      description: 'Forgets the thoughts of this session, to begin with another problem.',
      outputSchema: z.object({ forgotten: z.int() }),
      annotations: toolHints('destroys', { idempotent: true }),
    },
    (_, context) => {
      const history = historyOf(context)
      const forgotten = history.thoughts().length
      history.clear()
      return { forgotten }
    },
  )
}
