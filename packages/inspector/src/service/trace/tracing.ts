import type { TraceRecord, TraceRecorder } from '@parley/foundation/trace'

import type { Emit, Handlers } from '../handlers.ts'
import { createThrottle } from '../throttle.ts'

/** What the page sees of the trace. */
export interface Tracing {
  readonly handlers: Handlers<'trace/page' | 'trace/clear'>
  /** Tells pages of a record, with others, at most ten times a second. */
  onRecord(record: TraceRecord): void
}

/** What is sent at once; the page asks for the rest. */
const maxBytes = 8 * 1024 * 1024
const maxRecords = 2000

export function createTracing(recorder: TraceRecorder, emit: Emit): Tracing {
  let waiting: TraceRecord[] = []
  const notifying = createThrottle(100, () => {
    const records = fitting(waiting.map(recorder.masked))
    waiting = []
    if (records.length > 0) emit('trace/records', { records })
  })

  return {
    onRecord(record) {
      // The newest are kept; a page that sees a gap asks for what is missing.
      if (waiting.length >= maxRecords) waiting = waiting.slice(maxRecords / 2)
      waiting.push(record)
      notifying.ask()
    },
    handlers: {
      'trace/page': ({ after, limit }) => ({
        records: fitting(recorder.page(after, limit)),
        first: recorder.first,
        last: recorder.last,
      }),
      'trace/clear'() {
        waiting = []
        recorder.clear()
        return {}
      },
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
