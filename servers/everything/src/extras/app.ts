import { randomInt } from 'node:crypto'

import { appTool, defineApp } from '@parley/mcp/apps'
import { defineTool } from '@parley/mcp/server'
import { toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import { icons } from '../icons.ts'
import { appPage } from './app-page.ts'

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
    return { dice, total: dice.reduce((sum, item) => sum + item, 0) }
  },
)

/** An MCP App: hosts that can show it put its page beside the answer, all others show the text. */
export const diceApp = defineApp({
  uri: 'ui://everything/dice',
  name: 'dice',
  title: 'Dice',
  description: 'The page of roll-dice.',
  html: appPage,
  prefersBorder: true,
  tools: [
    appTool(rollDice, {
      text: ({ dice, total }) => `Rolled ${dice.join(', ')}: ${total} in all.`,
    }),
  ],
})
