import type { Temporal } from 'temporal-polyfill'

/**
 * Whether daylight saving time is on. The names of zones say it, for Ireland too, whose summer is its standard time;
 * where a zone has no name, its larger offset of the year is the one of summer.
 */
export function isDaylightSaving(moment: Temporal.ZonedDateTime): boolean {
  const name = nameOf(moment)
  if (/\b(?:Summer|Daylight)\b/.test(name)) return true
  if (/\bStandard\b/.test(name)) return false
  const january = moment.with({ month: 1, day: 1 }).offsetNanoseconds
  const july = moment.with({ month: 7, day: 1 }).offsetNanoseconds
  return january !== july && moment.offsetNanoseconds === Math.max(january, july)
}

function nameOf(moment: Temporal.ZonedDateTime): string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: moment.timeZoneId,
    timeZoneName: 'long',
  })
  const parts = format.formatToParts(moment.epochMilliseconds)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
