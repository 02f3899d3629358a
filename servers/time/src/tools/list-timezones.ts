import { defineTool, type Feature } from '@parley/mcp/server'
import { prettyResult, toolHints } from '@parley/server-kit/tools'
import { z } from 'zod'

import type { TimeSettings } from '../settings.ts'
import { searchZones } from '../zone.ts'

/** Names of zones, with what their clocks show now. */
export function listTimezones({ now }: TimeSettings): Feature {
  return defineTool(
    'list_timezones',
    {
      title: 'List Time Zones',
      description: 'Names of time zones that have a text in them, and their offset from UTC now',
      inputSchema: z.object({
        query: z.string().default('').describe("A part of the name, such as 'europe' or 'york'"),
        limit: z.int().min(1).max(1_000).default(100).describe('The maximum number of names'),
      }),
      outputSchema: z.object({
        timezones: z.array(z.object({ timezone: z.string(), offset: z.string() })),
        total: z.int().describe('How many there are, also beyond the limit'),
      }),
      annotations: toolHints('reads'),
    },
    ({ query, limit }) => {
      const found = searchZones(query)
      const timezones = found.slice(0, limit).map((timezone) => ({
        timezone,
        offset: now().toZonedDateTimeISO(timezone).offset,
      }))
      return prettyResult({ timezones, total: found.length })
    },
  )
}
