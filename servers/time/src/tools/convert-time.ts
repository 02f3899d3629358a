import { withJsonSchema } from '@parley/mcp'
import { defineTool, type Feature } from '@parley/mcp/server'
import { prettyResult, toolHints } from '@parley/server-kit/tools'
import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'

import {
  clockChangeSchema,
  disambiguations,
  placeTime,
  type Disambiguation,
} from '../clock-change.ts'
import { failure } from '../failure.ts'
import { describeDifference, describeMoment, momentSchema } from '../moment.ts'
import type { TimeSettings } from '../settings.ts'
import { readZone } from '../zone.ts'

const outputSchema = z.object({
  source: momentSchema,
  target: momentSchema,
  time_difference: z.string(),
  clock_change: clockChangeSchema
    .optional()
    .describe('Only for a time that the clocks of the source skip or show twice'),
})

/** A time on the clock of one zone, as another zone has it. */
export function convertTime(settings: TimeSettings): Feature {
  return defineTool(
    'convert_time',
    {
      title: 'Convert Time',
      description: 'Converts a time between time zones',
      // What is missing is answered below, in the words of the reference.
      inputSchema: withJsonSchema(shownSchema(settings).partial(), {
        input: z.toJSONSchema(shownSchema(settings), { io: 'input' }),
      }),
      outputSchema,
      annotations: toolHints('reads'),
    },
    ({ source_timezone, time, target_timezone, date, disambiguation = 'compatible' }) => {
      if (source_timezone === undefined || time === undefined || target_timezone === undefined) {
        throw failure('Missing required arguments')
      }
      const [from, to] = [readZone(source_timezone), readZone(target_timezone)]
      return prettyResult(convert({ from, to, time, date, disambiguation }, settings))
    },
  )
}

function shownSchema({ localZone }: TimeSettings) {
  const local = `Use '${localZone}' as the local one if the user names none.`
  return z.object({
    source_timezone: z
      .string()
      .describe(`IANA name of the zone to convert from, such as 'America/New_York'. ${local}`),
    time: z.string().describe('24-hour time, HH:MM'),
    target_timezone: z
      .string()
      .describe(`IANA name of the zone to convert to, such as 'Asia/Tokyo'. ${local}`),
    date: z
      .string()
      .optional()
      .describe('The day in the source zone, YYYY-MM-DD; today if left out'),
    disambiguation: z
      .enum(disambiguations)
      .optional()
      .describe('Which moment is meant where the clocks show a time twice or skip it'),
  })
}

interface Conversion {
  readonly from: string
  readonly to: string
  readonly time: string
  readonly date: string | undefined
  readonly disambiguation: Disambiguation
}

function convert(
  { from, to, time, date, disambiguation }: Conversion,
  { now }: TimeSettings,
): z.infer<typeof outputSchema> {
  const wall = readTime(time)
  const day = date === undefined ? now().toZonedDateTimeISO(from).toPlainDate() : readDate(date)
  const { moment, clockChange } = placeTime(day.toPlainDateTime(wall), from, disambiguation)
  const target = moment.withTimeZone(to)
  return {
    source: describeMoment(moment),
    target: describeMoment(target),
    time_difference: describeDifference(moment, target),
    ...(clockChange && { clock_change: clockChange }),
  }
}

/** One digit will do, as in the reference. */
function readTime(text: string): Temporal.PlainTime {
  const [, hour, minute] = /^(\d{1,2}):(\d{1,2})$/.exec(text) ?? []
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59) {
    throw failure('Invalid time format. Expected HH:MM [24-hour format]')
  }
  return Temporal.PlainTime.from({ hour: Number(hour), minute: Number(minute) })
}

function readDate(text: string): Temporal.PlainDate {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text)
  } catch {
    // a day that no month has
  }
  throw failure('Invalid date. Expected YYYY-MM-DD')
}
