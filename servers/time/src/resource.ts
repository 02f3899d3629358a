import { json } from '@parley/mcp'
import { defineResource, type Feature } from '@parley/mcp/server'

import { describeMoment } from './moment.ts'
import type { TimeSettings } from './settings.ts'
import { findZone, searchZones } from './zone.ts'

/** The time in a zone for people to attach; names are completed, which the protocol does not do for tools. */
export function currentTimeResource({ now }: TimeSettings): Feature {
  return defineResource(
    'time://now/{+timezone}',
    {
      name: 'current_time',
      title: 'Current time',
      description: 'The current time in a time zone',
      mimeType: 'application/json',
      complete: { timezone: (value) => searchZones(value) },
    },
    ({ timezone }) => {
      const zone = findZone(timezone)
      return zone === undefined ? undefined : json(describeMoment(now().toZonedDateTimeISO(zone)))
    },
  )
}
