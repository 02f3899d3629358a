import { createServer, type Server } from '@parley/mcp/server'
import { Temporal } from 'temporal-polyfill'

import { currentTimeResource } from './resource.ts'
import type { TimeSettings } from './settings.ts'
import { convertTime } from './tools/convert-time.ts'
import { currentTime } from './tools/current-time.ts'
import { listTimezones } from './tools/list-timezones.ts'
import { timeBetween } from './tools/time-between.ts'
import { findZone, systemZone } from './zone.ts'

/** Tools that the reference server does not have. */
export const extras = ['list_timezones', 'time_between'] as const
export type Extra = (typeof extras)[number]

/** How the server is set up. */
export interface TimeServerOptions {
  /** For questions without a zone. Throws if there is none of this name. @defaultValue that of this machine */
  readonly localTimezone?: string | undefined
  /** @defaultValue none */
  readonly enable?: readonly Extra[] | undefined
  /** Milliseconds since 1970. @defaultValue `Date.now` */
  readonly now?: (() => number) | undefined
}

/** The time in any zone and conversion between zones, by the tools of the reference server. */
export function createTimeServer(options: TimeServerOptions = {}): Server {
  const { localTimezone, enable = [], now = Date.now } = options
  const localZone = localTimezone === undefined ? systemZone() : findZone(localTimezone)
  if (localZone === undefined) {
    throw new TypeError(
      `Unknown time zone ${localTimezone}. Use an IANA name such as Europe/Warsaw.`,
    )
  }
  const settings: TimeSettings = {
    localZone,
    now: () => Temporal.Instant.fromEpochMilliseconds(now()),
  }
  const server: Server = createServer({
    name: 'mcp-time',
    title: 'Time',
    version: '0.1.0',
    description: 'The time in any zone, and conversion between zones',
  })
  server.add(currentTime(settings), convertTime(settings), currentTimeResource(settings))
  if (enable.includes('list_timezones')) server.add(listTimezones(settings))
  if (enable.includes('time_between')) server.add(timeBetween(settings))
  return server
}
