import { createLiveSource, type TraceSource } from '@parley/page/trace'

import { openChannel } from '../channel.ts'

let live: TraceSource | undefined

/** What happens now, on all connections. Made once; reading goes on while the drawer is closed. */
export function liveTrace(): TraceSource {
  live ??= createOverChannel()
  return live
}

function createOverChannel(): TraceSource {
  const channel = openChannel()
  return createLiveSource({
    page: (after, limit) => channel.ask('trace/page', { after, limit }),
    onRecords: (listener) => channel.on('trace/records', ({ records }) => listener(records)),
    onOpen: (listener) => channel.onStatus((status) => status === 'open' && listener()),
    clear: () => channel.ask('trace/clear', {}),
  })
}
