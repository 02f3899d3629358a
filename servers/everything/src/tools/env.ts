import { env } from 'node:process'

import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

/** The environment belongs to whoever started the process: nobody else sees the tool, unless they are to. */
export function printEnvironment(isForAll: boolean): Feature {
  return defineTool(
    'get-env',
    {
      title: 'Print Environment Tool',
      description: 'Shows the environment variables of the server, to find out how it was started.',
      inputSchema: z.object({}),
      annotations: toolHints('reads'),
      task: 'never',
      visible: ({ http }) => isForAll || http === undefined,
    },
    () => JSON.stringify(env, null, 2),
  )
}
