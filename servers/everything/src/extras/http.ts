import { setTimeout as wait } from 'node:timers/promises'

import { jsonSchema } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { icons } from '../icons.ts'

/** From 2026-07-28 on a header repeats the argument, so that whoever routes the call need not read its body. */
const routedByArgument = defineTool(
  'echo-region',
  {
    title: 'Echo Region Tool',
    description: 'Says the region back, and which header repeated it.',
    inputSchema: jsonSchema<{ region: string }>({
      type: 'object',
      properties: {
        region: { type: 'string', description: 'Where to work', 'x-mcp-header': 'Region' },
      },
      required: ['region'],
    }),
    annotations: toolHints('reads'),
    icons,
  },
  ({ region }, { http }) =>
    `Region: ${region}. Header: ${http?.header('mcp-param-region') ?? 'none'}.`,
)

/** Long work holds no connection: the caller comes back for the answer. */
const letsGo = defineTool(
  'work-without-connection',
  {
    title: 'Work Without Connection Tool',
    description:
      'Closes the connection, works as long as asked, and answers when the client reconnects.',
    inputSchema: z.object({
      ms: z.int().min(0).max(600_000).default(1_000).describe('How long to work'),
    }),
    annotations: toolHints('reads'),
    icons,
  },
  async ({ ms }, { suspendStream, signal }) => {
    suspendStream({ retryMs: Math.min(ms, 1_000) })
    await wait(ms, undefined, { signal })
    return `Worked for ${ms} ms.`
  },
)

/** What only shows over HTTP; elsewhere they are ordinary tools. */
export const httpTools: readonly Feature[] = [routedByArgument, letsGo]
