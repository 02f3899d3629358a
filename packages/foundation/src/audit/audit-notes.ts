import type { JsonObject } from '@parley/mcp'

/** Notes of the log about itself, as entries of the chain: they cannot be added afterwards. */
export type AuditNote =
  /** The line before is not whole. */
  | { readonly kind: 'torn'; readonly bytes: number }
  /** The number of records that were not written: the queue was full, or writing failed. */
  | { readonly kind: 'dropped'; readonly records: number }
  /** Old files were removed to make room; the log begins with `first` now. */
  | { readonly kind: 'removed'; readonly files: readonly string[]; readonly first: number }

const member = '$audit'

export function noteRecord(note: AuditNote): JsonObject {
  return { [member]: note }
}

/** Whether a record looks like a note; the log alone may write those. */
export function isNoteRecord(record: JsonObject): boolean {
  return Object.hasOwn(record, member)
}

/** Total: undefined for a record that is no note. */
export function readNote(record: JsonObject): AuditNote | undefined {
  const note = isNoteRecord(record) ? record[member] : undefined
  if (typeof note !== 'object' || note === null) return undefined
  return note as AuditNote // in an intact entry: only the writer makes such records
}
