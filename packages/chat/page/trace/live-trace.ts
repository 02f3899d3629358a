import { createLiveSource, type TraceSource } from '@parley/page/trace'

import { channel } from '../channel.ts'

let source: TraceSource | undefined

/** What crosses the connections now. Read from the first time that somebody looks. */
export function liveTrace(): TraceSource {
  source ??= createLiveSource({
    page: (after, limit) => channel.ask('trace/page', { after, limit }),
    onRecords: (listener) => channel.on('trace/records', ({ records }) => listener(records)),
    onOpen: (listener) => channel.onStatus((status) => status === 'open' && listener()),
    clear: () => channel.ask('trace/clear', {}),
  })
  return source
}
