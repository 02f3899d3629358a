import type { TraceRecord } from '@parley/foundation/trace'

import type { RowTable } from '../rows/rows.ts'

/** A trace to show: live, or from a file. */
export interface TraceSource {
  readonly name: string
  readonly isLive: boolean
  readonly table: RowTable
  /** How far reading is, as a share; 1 when all is there. */
  readonly progress: number
  /** Undefined for a record nobody keeps any more. */
  record(seq: number): Promise<TraceRecord | undefined>
  /** All records in turn, a page at a time; content is never held as a whole. */
  pages(): AsyncIterable<readonly TraceRecord[]>
  /** Returns what stops listening. */
  onChange(listener: (added: readonly TraceRecord[]) => void): () => void
  /** Forgets all records; absent where they cannot be cleared. */
  clear?(): Promise<void>
}
