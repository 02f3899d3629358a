import type { TraceRecord } from '@parley/foundation/trace'
import { writeTrace } from '@parley/foundation/trace/view'

import { downloadText } from '../../parts/text/download.ts'
import type { Row } from '../rows/rows.ts'
import type { VisibleLine } from '../rows/visible-rows.ts'
import type { TraceSource } from './source.ts'

/** Saves the rows that pass the filter and the zoom, with all they led to, as a trace file. */
export async function saveShown(
  source: TraceSource,
  lines: readonly VisibleLine[],
  program: string,
): Promise<void> {
  const seqs = new Set<number>()
  for (const line of lines) if (line.kind === 'row' && line.depth === 0) addSeqs(line.row, seqs)
  const records: TraceRecord[] = []
  for await (const page of source.pages()) {
    for (const record of page) if (seqs.has(record.seq)) records.push(record)
  }
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  downloadText(`trace-${stamp}.jsonl`, writeTrace(records, program))
}

function addSeqs(row: Row, seqs: Set<number>) {
  seqs.add(row.entry.seq)
  if (row.answer) seqs.add(row.answer.seq)
  for (const child of row.children) addSeqs(child, seqs)
}
