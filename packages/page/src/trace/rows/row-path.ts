import { pathOf, type CriticalPath } from '@parley/foundation/trace/view'

import type { Row, RowTable } from './rows.ts'

interface Known {
  readonly path: CriticalPath | undefined
  readonly answer: number | undefined
  /** How much the table held; what goes on is looked at again when there is more. */
  readonly count: number
}

const paths = new WeakMap<Row, Known>()

/** What the time of a row was spent on; found once for what is over. Undefined for what is no request. */
export function pathOfRow(table: RowTable, row: Row): CriticalPath | undefined {
  if (row.entry.role !== 'request' || row.entry.kind !== 'message') return undefined
  const before = paths.get(row)
  const answer = row.answer?.seq
  if (before?.answer === answer && before && (before.count === table.count || isOver(before))) {
    return before.path
  }
  const path = pathOf(row, table.marksOf(row.entry.server), table.now)
  paths.set(row, { path, answer, count: table.count })
  return path
}

function isOver({ path }: Known): boolean {
  return path?.isOpen === false
}

/** What led to nothing waited for the server alone, and nobody decides about a ping: no need to look. */
export function waitsForServer({ entry, children }: Row): boolean {
  return children.length === 0 && (entry.direction === 'out' || entry.label === 'ping')
}

/** Who answered a question of a server, in a word. */
export function answeredBy(table: RowTable, row: Row): 'you' | 'rule' | 'model' | undefined {
  if (row.entry.direction !== 'in' || !row.answer || waitsForServer(row)) return undefined
  const { segments = [] } = pathOfRow(table, row) ?? {}
  if (segments.some(({ what }) => what.endsWith('a model answers'))) return 'model'
  if (segments.some(({ who }) => who === 'person')) return 'you'
  return segments.some(({ what }) => /: (rule .*|the settings) answers$/.test(what))
    ? 'rule'
    : undefined
}
