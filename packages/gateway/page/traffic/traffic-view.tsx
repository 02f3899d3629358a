import { SegmentedControl } from '@mantine/core'
import { Note } from '@parley/page/parts'
import { TraceViewer, useTrace } from '@parley/page/trace'
import type { ReactElement } from 'react'

import { useStore } from '../store.ts'
import { Hops } from './hops.tsx'
import { liveTraffic } from './live-traffic.ts'

const onlyCalls = 'method:tools/call'

/** Every request of clients, and what went to servers because of it, as one trace. */
export function TrafficView(): ReactElement {
  const filterText = useTrace((trace) => trace.filterText)
  const isRecording = useStore((store) => store.state?.isRecording ?? false)
  return (
    <div className="traffic">
      {!isRecording && (
        <Note tone="info">
          Messages are recorded while this page is open. Secrets are masked. To record always, write{' '}
          <code>{'page: { record: true }'}</code> in the file.
        </Note>
      )}
      <div className="row traffic-head">
        <SegmentedControl
          aria-label="Which messages"
          value={filterText === onlyCalls ? 'calls' : filterText === '' ? 'all' : 'other'}
          onChange={(which) =>
            useTrace.setState({ filterText: which === 'calls' ? onlyCalls : '' })
          }
          data={[
            { value: 'calls', label: 'Calls' },
            { value: 'all', label: 'All' },
          ]}
        />
      </div>
      <div className="traffic-viewer">
        <TraceViewer source={liveTraffic()} />
      </div>
      <Hops />
    </div>
  )
}
