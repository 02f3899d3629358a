import type { Revision } from '../revision.ts'

/** Properties of a method, on either side. */
export interface MethodRow {
  /** The first revision that has it; absent for the oldest. */
  readonly since?: Revision
  /** The last revision that has it; absent while it stays. */
  readonly until?: Revision
}

/** The methods of a table that a revision has. */
export function methodsIn(
  table: { readonly [method: string]: MethodRow & { readonly [fact: string]: unknown } },
  revision: Revision,
): ReadonlySet<string> {
  const there = Object.entries(table).filter(([, row]) => existsIn(row, revision))
  return new Set(there.map(([method]) => method))
}

/** Whether a revision has a method. */
export function existsIn({ since, until }: MethodRow, revision: Revision): boolean {
  return (since ?? revision) <= revision && revision <= (until ?? revision) // they are dates
}
