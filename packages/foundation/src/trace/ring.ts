import type { TraceRecord } from './record.ts'

/** Records in order, as many as fit by count and by bytes. */
export interface Ring {
  readonly first: number | undefined
  push(record: TraceRecord): void
  get(seq: number): TraceRecord | undefined
  /** Those with a higher `seq`, oldest first. */
  after(seq: number, count: number): readonly TraceRecord[]
  clear(): void
}

/** Even an empty record takes some room. */
const overheadBytes = 200

/** `seq` of what is pushed counts up by one, so that a record is found by where it stands. */
export function createRing(maxRecords: number, maxBytes: number): Ring {
  let records: (TraceRecord | undefined)[] = []
  let start = 0
  let bytes = 0

  function shift(): void {
    const oldest = records[start]
    if (oldest === undefined) return
    bytes -= sizeOf(oldest)
    records[start] = undefined // not kept alive by its place
    start += 1
    if (start < 4096 || start * 2 < records.length) return
    records = records.slice(start)
    start = 0
  }

  function indexOf(seq: number): number {
    const oldest = records[start]
    return oldest === undefined ? -1 : start + seq - oldest.seq
  }

  return {
    get first() {
      return records[start]?.seq
    },
    push(record) {
      records.push(record)
      bytes += sizeOf(record)
      while (
        records.length - start > 1 &&
        (records.length - start > maxRecords || bytes > maxBytes)
      ) {
        shift()
      }
    },
    get(seq) {
      const index = indexOf(seq)
      return index < start ? undefined : records[index]
    },
    after(seq, count) {
      const from = Math.max(start, indexOf(seq + 1))
      return records.slice(from, from + count).filter((record) => record !== undefined)
    },
    clear() {
      records = []
      start = 0
      bytes = 0
    },
  }
}

function sizeOf({ bytes = 0 }: TraceRecord): number {
  return bytes + overheadBytes
}
