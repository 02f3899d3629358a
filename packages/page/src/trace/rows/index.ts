/** The rows of a trace without anything to look at, for programs without a page. */

export { readEntry } from './entry.ts'
export type { Entry } from './entry.ts'
export { createRowTable, durationOf, statusOf } from './rows.ts'
export type { Row, RowStatus, RowTable } from './rows.ts'
