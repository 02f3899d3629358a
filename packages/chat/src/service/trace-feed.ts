import type { TraceRecord, TraceRecorder } from '@parley/foundation/trace'

/** What pages see of the trace. */
export interface TraceFeed extends Disposable {
  /** The first records after one, as many as fit into an answer. */
  page(after: number, limit: number): readonly TraceRecord[]
}

/** What is sent at once; the page asks for the rest. */
const maxBytes = 4 * 1024 * 1024
const maxWaiting = 1_000
const everyMs = 100

/** Tells pages of records, many at once and at most ten times a second. */
export function createTraceFeed(
  recorder: TraceRecorder,
  send: (records: readonly TraceRecord[]) => void,
): TraceFeed {
  let waiting: TraceRecord[] = []
  let timer: NodeJS.Timeout | undefined
  const following = recorder.onRecord((record) => {
    // The newest are kept; a page that sees a gap asks for what is missing.
    if (waiting.length >= maxWaiting) waiting = waiting.slice(maxWaiting / 2)
    waiting.push(record)
    timer ??= setTimeout(flush, everyMs)
  })

  function flush(): void {
    timer = undefined
    const records = fitting(waiting.map(recorder.masked))
    waiting = []
    send(records)
  }

  return {
    page: (after, limit) => fitting(recorder.page(after, limit)),
    [Symbol.dispose]() {
      following[Symbol.dispose]()
      clearTimeout(timer)
    },
  }
}

/** At least one, however large. */
function fitting(records: readonly TraceRecord[]): readonly TraceRecord[] {
  let bytes = 0
  const cut = records.findIndex((record, index) => {
    bytes += record.bytes ?? 0
    return index > 0 && bytes > maxBytes
  })
  return cut < 0 ? records : records.slice(0, cut)
}
