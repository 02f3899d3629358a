import { sql, type RawBuilder } from 'kysely'

import type { StoredEntry } from '../storage/entry.ts'

/** Whose private entries are shown: all, or those of these names and beginnings followed by `*`. */
export type Reader = 'all' | readonly string[]

/** Sees no private entry. */
export const stranger: Reader = []

export function isVisibleTo(reader: Reader, { name, hidden }: StoredEntry): boolean {
  if (hidden !== 2 || reader === 'all') return true
  return reader.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  )
}

/** The same as conditions for a table called `v`. */
export function visibleTo(reader: Reader): readonly RawBuilder<unknown>[] {
  if (reader === 'all') return []
  const own = reader.map((pattern) =>
    pattern.endsWith('*')
      ? sql`substr(v.name, 1, ${pattern.length - 1}) = ${pattern.slice(0, -1)}`
      : sql`v.name = ${pattern}`,
  )
  return [sql`(${sql.join([sql`v.hidden <> 2`, ...own], sql` or `)})`]
}
