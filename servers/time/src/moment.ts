import type { Temporal } from 'temporal-polyfill'
import { z } from 'zod'

import { isDaylightSaving } from './daylight-saving.ts'

/** A moment in a zone, as answers give it. */
export const momentSchema = z.object({
  timezone: z.string(),
  datetime: z.string().describe('ISO 8601 with the offset from UTC'),
  day_of_week: z.string(),
  is_dst: z.boolean().describe('Whether daylight saving time is on'),
})

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Describes a moment the way the reference does. */
export function describeMoment(moment: Temporal.ZonedDateTime): z.infer<typeof momentSchema> {
  return {
    timezone: moment.timeZoneId,
    datetime: moment.toString({ smallestUnit: 'second', timeZoneName: 'never' }),
    day_of_week: days[moment.dayOfWeek - 1] ?? '',
    is_dst: isDaylightSaving(moment),
  }
}

/** The difference of two offsets: `+9.0h` for whole hours, `+5.75h` for others. */
export function describeDifference(
  from: Temporal.ZonedDateTime,
  to: Temporal.ZonedDateTime,
): string {
  const hours = (to.offsetNanoseconds - from.offsetNanoseconds) / 3.6e12
  const digits = Number.isInteger(hours) ? hours.toFixed(1) : String(Number(hours.toFixed(2)))
  return `${hours < 0 ? '' : '+'}${digits}h`
}
