import type { Selectable } from 'kysely'

import type { ServerStatus } from '../document/server-document.ts'
import type { Tables } from './tables.ts'

/** One version as it is stored; its document stays text, since most answers only pass it on. */
export interface StoredEntry {
  readonly id: number
  readonly name: string
  readonly version: string
  readonly status: ServerStatus
  readonly statusMessage: string | undefined
  readonly statusChangedAt: string
  readonly publishedAt: string
  readonly updatedAt: string
  readonly isLatest: boolean
  readonly sequence: number
  /** A JSON array of texts. */
  readonly flags: string | undefined
  readonly source: string | undefined
  /** `_meta` of the registry it was mirrored from, as JSON. */
  readonly upstream: string | undefined
  /** JSON. */
  readonly document: string
  /** By rule: 0 shown, 1 hidden, 2 private. */
  readonly hidden: number
  readonly hiddenReason: string | undefined
  /** More for `_meta`, a JSON object. */
  readonly overlay: string | undefined
  /** What was checked at publication, a JSON array. */
  readonly checks: string | undefined
}

/** The columns of an entry, of a table called `server_versions`. */
export const entryColumns = [
  'server_versions.id',
  'server_versions.name',
  'server_versions.version',
  'server_versions.status',
  'server_versions.status_message',
  'server_versions.status_changed_at',
  'server_versions.published_at',
  'server_versions.updated_at',
  'server_versions.is_latest',
  'server_versions.sequence',
  'server_versions.flags',
  'server_versions.source',
  'server_versions.upstream',
  'server_versions.document',
  'server_versions.hidden',
  'server_versions.hidden_reason',
  'server_versions.overlay',
  'server_versions.checks',
] as const

/** A row of these columns. */
export type EntryRow = Omit<Selectable<Tables['server_versions']>, 'haystack' | 'skeleton'>

export function readEntry(row: EntryRow): StoredEntry {
  return {
    id: Number(row.id),
    name: row.name,
    version: row.version,
    status: row.status,
    statusMessage: row.status_message ?? undefined,
    statusChangedAt: row.status_changed_at,
    publishedAt: row.published_at,
    updatedAt: row.updated_at,
    isLatest: Number(row.is_latest) === 1,
    sequence: Number(row.sequence),
    flags: row.flags ?? undefined,
    source: row.source ?? undefined,
    upstream: row.upstream ?? undefined,
    document: row.document,
    hidden: Number(row.hidden),
    hiddenReason: row.hidden_reason ?? undefined,
    overlay: row.overlay ?? undefined,
    checks: row.checks ?? undefined,
  }
}

/** Whether it is listed: neither deleted by its publisher nor hidden by a rule. */
export function isListed({ status, hidden }: Pick<StoredEntry, 'status' | 'hidden'>): boolean {
  return status !== 'deleted' && hidden !== 1
}
