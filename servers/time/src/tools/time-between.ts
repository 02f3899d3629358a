import { defineTool, type Feature } from '@parley/mcp/server'
import { prettyResult, toolHints } from '@parley/server-kit/tools'
import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'

import { placeTime } from '../clock-change.ts'
import { failure } from '../failure.ts'
import type { TimeSettings } from '../settings.ts'
import { readZone } from '../zone.ts'

/** How long it is from one moment to another, by the calendar of a zone. */
export function timeBetween({ now, localZone }: TimeSettings): Feature {
  const moment = "An ISO 8601 time, with an offset or in the time zone; or 'now'"
  return defineTool(
    'time_between',
    {
      title: 'Time Between',
      description: 'How long it is from one time to another',
      inputSchema: z.object({
        from: z.string().describe(moment),
        to: z.string().describe(moment),
        timezone: z
          .string()
          .default(localZone)
          .describe('IANA name of the zone whose days are counted'),
      }),
      outputSchema: z.object({
        from: z.string(),
        to: z.string(),
        duration: z.string().describe('ISO 8601: years, months, days and hours by the calendar'),
        days: z.number().describe('Days of the calendar, whole ones'),
        seconds: z.number(),
      }),
      annotations: toolHints('reads'),
    },
    ({ from, to, timezone }) => {
      const zone = readZone(timezone)
      const [start, end] = [readMoment(from, zone, now), readMoment(to, zone, now)]
      return prettyResult({
        from: start.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
        to: end.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
        duration: start.until(end, { largestUnit: 'year', smallestUnit: 'second' }).toString(),
        days: start.until(end, { largestUnit: 'day', smallestUnit: 'day' }).days,
        seconds: start.until(end, { largestUnit: 'second', smallestUnit: 'second' }).seconds,
      })
    },
  )
}

function readMoment(text: string, zone: string, now: TimeSettings['now']): Temporal.ZonedDateTime {
  if (text === 'now') return now().toZonedDateTimeISO(zone)
  try {
    if (/(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text) && text.includes(':')) {
      return Temporal.Instant.from(text).toZonedDateTimeISO(zone)
    }
    return placeTime(Temporal.PlainDateTime.from(text), zone, 'compatible').moment
  } catch {
    const shown = JSON.stringify(text.slice(0, 100))
    throw failure(`Invalid time ${shown}. Expected ISO 8601, or now`)
  }
}
