import type { TraceRecord } from '@parley/foundation/trace'
import { readTrace } from '@parley/foundation/trace/view'

import { readEntry } from '../rows/entry.ts'
import { createRowTable } from '../rows/rows.ts'
import type { TraceSource } from './source.ts'

/** A trace from a file, and how many of its lines were no records. */
export interface FileSource extends TraceSource {
  readonly records: readonly TraceRecord[]
  readonly badLines: number
}

const maximumRecords = 200_000

/** Reads a trace file: a header, then one record a line. Lines that are none are counted and left out. */
export function readTraceText(name: string, text: string): FileSource {
  const { records: read, problems } = readTrace(text)
  const records = read.slice(0, maximumRecords)
  const table = createRowTable()
  for (const record of records) table.add(readEntry(record))
  const bySeq = new Map(records.map((record) => [record.seq, record]))
  return {
    name,
    isLive: false,
    records,
    badLines: problems.length,
    table,
    progress: 1,
    record: (seq) => Promise.resolve(bySeq.get(seq)),
    async *pages() {
      for (let start = 0; start < records.length; start += 1000) {
        yield await Promise.resolve(records.slice(start, start + 1000))
      }
    },
    onChange: () => () => {},
  }
}
