import { env } from 'node:process'

import { defineTool } from '@parley/mcp/server'

import { looksOnly } from '../hints.ts'

/** The environment belongs to whoever started the process: nobody else gets to see the tool. */
export const printEnvironment = defineTool(
  'get-env',
  {
    title: 'Print Environment Tool',
    description: 'Shows the environment variables of the server, to find out how it was started.',
    annotations: looksOnly,
    visible: ({ http }) => http === undefined,
  },
  () => JSON.stringify(env, null, 2),
)
