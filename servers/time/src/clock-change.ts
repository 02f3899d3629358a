import type { ToolError } from '@parley/mcp'
import type { Temporal } from 'temporal-polyfill'
import { z } from 'zod'

import { failure } from './failure.ts'

/** Which moment is meant when the clocks show a time twice, or never. */
export const disambiguations = ['compatible', 'earlier', 'later', 'reject'] as const
export type Disambiguation = (typeof disambiguations)[number]

/** What an answer says about a time that a change of the clocks skips or repeats. */
export const clockChangeSchema = z.object({
  kind: z.enum(['skipped', 'repeated']),
  earlier: z.string(),
  later: z.string(),
  used: z.enum(['earlier', 'later']),
})

/** A time on the clock of a zone, as the moment it is. */
export interface PlacedTime {
  readonly moment: Temporal.ZonedDateTime
  /** Only if the clocks are changed over it. */
  readonly clockChange?: z.infer<typeof clockChangeSchema>
}

/** Finds the moment when the clocks of a zone show a time. */
export function placeTime(
  time: Temporal.PlainDateTime,
  zone: string,
  disambiguation: Disambiguation,
): PlacedTime {
  const earlier = time.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const later = time.toZonedDateTime(zone, { disambiguation: 'later' })
  if (earlier.equals(later)) return { moment: earlier }
  const kind = earlier.toPlainDateTime().equals(time) ? 'repeated' : 'skipped'
  if (disambiguation === 'reject') throw refuse(time, zone, kind, earlier, later)
  // As calendars do: the first of two, and as much later as the clocks go forward.
  const usual = kind === 'repeated' ? 'earlier' : 'later'
  const used = disambiguation === 'compatible' ? usual : disambiguation
  return {
    moment: used === 'earlier' ? earlier : later,
    clockChange: { kind, earlier: write(earlier), later: write(later), used },
  }
}

function refuse(
  time: Temporal.PlainDateTime,
  zone: string,
  kind: 'skipped' | 'repeated',
  earlier: Temporal.ZonedDateTime,
  later: Temporal.ZonedDateTime,
): ToolError {
  const seen = kind === 'skipped' ? 'never' : 'twice'
  return failure(
    `The clocks of ${zone} show ${time.toString({ smallestUnit: 'minute' })} ${seen}. ` +
      `Choose a disambiguation: earlier is ${write(earlier)}, later is ${write(later)}.`,
  )
}

function write(moment: Temporal.ZonedDateTime): string {
  return moment.toString({ smallestUnit: 'second', timeZoneName: 'never' })
}
