import type { Root } from '@parley/mcp'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { reportRejection } from './tell-refusal.ts'

/** Asks the client where it works. */
export const rootsList = defineTool(
  'get-roots-list',
  {
    title: 'Get Roots List Tool',
    description: 'Asks the client for its roots and lists them; nothing is read from them.',
    inputSchema: z.object({}),
    annotations: toolHints('reads'),
    task: 'never',
    visible: ({ client }) => client.capabilities.roots !== undefined,
  },
  async (_, { listRoots, log }) => {
    const roots = await listRoots().catch(reportRejection)
    log('info', `Roots updated: ${roots.length} root(s) received from client`, 'everything-server')
    if (roots.length === 0) {
      return 'The client supports roots but no roots are currently configured.'
    }
    return `Current MCP Roots (${roots.length} total):\n\n${roots.map(describeRoot).join('\n\n')}`
  },
)

function describeRoot({ name = 'Unnamed Root', uri }: Root, index: number): string {
  return `${index + 1}. ${name}\n   URI: ${uri}`
}
