import { TraceViewer } from '@parley/page/trace'
import { useMemo, type ReactElement } from 'react'

import { liveTrace } from './live-trace.ts'

/** Every message between the chat and its servers, below the conversation. */
export function TraceDrawer(): ReactElement {
  const source = useMemo(liveTrace, [])
  return (
    <section className="chat-trace" aria-label="Trace">
      <TraceViewer source={source} />
    </section>
  )
}
