import type { SectionValue } from './gateway-file.ts'

/** Where the page of a gateway is, and what it keeps. */
export interface PageSettings {
  /** @defaultValue 0: any that is free */
  readonly port?: number | undefined
  /** @defaultValue '127.0.0.1' */
  readonly host?: string | undefined
  /** Listen on an address that others can reach. @defaultValue false */
  readonly allowRemote?: boolean | undefined
  /** Names that it answers to besides loopback: what a proxy in front calls it. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Record messages also while nobody looks. @defaultValue false */
  readonly isRecording?: boolean | undefined
  /** Messages that are kept, in bytes; the oldest go. @defaultValue 16 MiB */
  readonly recordBytes?: number | undefined
}

/** `page: true`, `page: 8081`, or an object. Undefined where there is to be none. */
export function pageSettings(page: SectionValue<'page'> | undefined): PageSettings | undefined {
  if (page === undefined || page === false) return undefined
  if (page === true) return {}
  if (typeof page === 'number') return { port: page }
  const { record, keep, ...rest } = page
  return { ...rest, isRecording: record, recordBytes: keep }
}
