/** A server with many tools that shows its callers three: to find, to describe and to call one. */

import { createServer, type Server } from '@parley/mcp/server'
import { withToolSearch } from '@parley/tools'
import { z } from 'zod'

const currencies = ['CHF', 'DKK', 'EUR', 'GBP', 'JPY', 'NOK', 'PLN', 'SEK', 'USD', 'ZAR']

/** One tool for each pair of currencies, and one that everybody needs. */
export function createExchange(rateOf: (from: string, to: string) => number): Server {
  const server = createServer({ name: 'exchange', version: '1.0.0' })
  server.tool('currencies', { description: 'Which currencies there are' }, () =>
    currencies.join(' '),
  )
  for (const from of currencies) {
    for (const to of currencies.filter((other) => other !== from)) {
      server.tool(
        `convert_${from}_to_${to}`,
        {
          description: `Converts an amount of ${from} into ${to} at today's rate`,
          inputSchema: z.object({ amount: z.number().min(0) }),
          annotations: { readOnlyHint: true },
        },
        ({ amount }) => `${(amount * rateOf(from, to)).toFixed(2)} ${to}`,
      )
    }
  }
  return withToolSearch(server, { pinned: ['currencies'] })
}
