import { createLiveSource, type TraceSource } from '@parley/page/trace'

import { openChannel } from '../channel.ts'

let source: TraceSource | undefined

/** The current traffic of the gateway. Created once; reading continues while another view is shown. */
export function liveTraffic(): TraceSource {
  if (source) return source
  const channel = openChannel()
  source = createLiveSource({
    page: (after, limit) => channel.ask('trace/page', { after, limit }),
    onRecords: (listener) => void channel.on('trace/records', ({ records }) => listener(records)),
    onOpen: (listener) =>
      void channel.onStatus((status) => {
        if (status === 'open') listener()
      }),
    clear: () => channel.ask('trace/clear', {}),
  })
  return source
}
