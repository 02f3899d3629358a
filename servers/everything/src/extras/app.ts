import { randomInt } from 'node:crypto'

import { defineResource, defineTool, type Feature, type Middleware } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { icons } from '../icons.ts'
import { appPage } from './app-page.ts'

const resourceUri = 'ui://everything/dice'

/** An MCP App: hosts that can show it put its page beside the answer, all others show the text. */
const rollDice = defineTool(
  'roll-dice',
  {
    title: 'Roll Dice Tool',
    description: 'Rolls dice, and shows them on a page that can roll them again.',
    inputSchema: z.object({
      count: z.int().min(1).max(10).default(2).describe('How many dice'),
    }),
    outputSchema: z.object({ dice: z.array(z.int()), total: z.int() }),
    annotations: toolHints('reads', { idempotent: false }),
    icons,
  },
  ({ count }) => {
    const dice = Array.from({ length: count }, () => randomInt(1, 7))
    return { dice, total: dice.reduce((sum, one) => sum + one, 0) }
  },
)

const page = defineResource(
  resourceUri,
  {
    name: 'dice',
    title: 'Dice',
    description: 'The page of roll-dice.',
    mimeType: 'text/html;profile=mcp-app',
  },
  () => appPage,
)

/** The tool and its page. */
export const app: readonly Feature[] = [rollDice, page]

/** Says in the list which page belongs to the tool. */
export const linkApp: Middleware<unknown, 'tools/list'> = async (_, next) => {
  const { result } = await next()
  const tools = result.tools.map((tool) =>
    tool.name === 'roll-dice' ? { ...tool, _meta: { ...tool._meta, ui: { resourceUri } } } : tool,
  )
  return { resultType: 'complete', result: { ...result, tools } }
}
