import { Temporal } from 'temporal-polyfill'

import { failure } from './failure.ts'

/** A time zone by its IANA name; throws what the reference throws for what is none. */
export function readZone(name: string): string {
  const zone = findZone(name)
  if (zone === undefined) {
    throw failure(`Invalid timezone: 'No time zone found with key ${name.slice(0, 200)}'`)
  }
  return zone
}

/** The name as it is written, whatever its letters; `undefined` for what is none, offsets among it. */
export function findZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return undefined // no such zone
  }
}

/** All zones by name, in order. */
export function allZones(): readonly string[] {
  return (names ??= [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted())
}
let names: readonly string[] | undefined

/** Names that have the text at their beginning or behind a slash, these before those that have it anywhere. */
export function searchZones(text: string): readonly string[] {
  const wanted = text.trim().toLowerCase().replaceAll(' ', '_')
  const found = allZones().filter((name) => name.toLowerCase().includes(wanted))
  const isClose = (name: string) =>
    name.toLowerCase().startsWith(wanted) || name.toLowerCase().includes(`/${wanted}`)
  return [...found.filter(isClose), ...found.filter((name) => !isClose(name))]
}

/** The zone of this machine, or UTC where it says none that is known. */
export function systemZone(): string {
  return findZone(Temporal.Now.timeZoneId()) ?? 'UTC'
}
