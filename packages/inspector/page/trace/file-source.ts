import type { TraceRecord } from '@parley/foundation/trace'

import { isRecord } from '../json.ts'
import { readEntry } from './entry.ts'
import { createRowTable } from './rows.ts'
import type { TraceSource } from './source.ts'

/** A trace from a file, and how many of its lines were no records. */
export interface FileSource extends TraceSource {
  readonly records: readonly TraceRecord[]
  readonly badLines: number
}

const maximumRecords = 200_000

/** Reads a trace file: a header, then one record a line. Lines that are none are counted and left out. */
export function readTraceText(name: string, text: string): FileSource {
  const records: TraceRecord[] = []
  const table = createRowTable()
  let badLines = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '' || records.length >= maximumRecords) continue
    const record = readLine(line)
    if (record === 'header') continue
    if (record === undefined) badLines++
    else {
      records.push(record)
      table.add(readEntry(record))
    }
  }
  const bySeq = new Map(records.map((record) => [record.seq, record]))
  return {
    name,
    isLive: false,
    records,
    badLines,
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

function readLine(line: string): TraceRecord | 'header' | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (!isRecord(value)) return undefined
    if (typeof value['seq'] !== 'number') return 'trace' in value ? 'header' : undefined
    const isWhole = typeof value['time'] === 'number' && typeof value['kind'] === 'string'
    // What is looked at is there; everything else of a record may be missing or wrong, and is read with care.
    return isWhole ? ({ at: 0, connection: '', ...value } as unknown as TraceRecord) : undefined
  } catch {
    return undefined
  }
}
