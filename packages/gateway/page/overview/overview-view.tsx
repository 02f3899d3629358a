import { Empty, formatBytes, Note } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { MetricList } from '../parts/figures.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { formatAge, useNow } from '../parts/server-state.tsx'
import { useStore } from '../store.ts'
import { Topology } from './topology.tsx'
import { TrafficChart } from './traffic-chart.tsx'

/** The callers, the traffic, and the state of the servers. */
export function OverviewView(): ReactElement {
  const overview = useStore((store) => store.overview)
  const now = useNow()
  if (overview === undefined) return <div role="status">Reading…</div>
  const { gateway, servers, warnings, history } = overview
  return (
    <div className="view">
      <section className="card" aria-label="The gateway">
        <div className="card-head">
          <h2>Gateway</h2>
          <span className="quiet">
            up for {formatAge(now - gateway.startedAt)}, {formatBytes(gateway.memoryBytes)}
          </span>
        </div>
        <div className="gateway-figures">
          <MetricList metrics={gateway} />
        </div>
        <TrafficChart history={history} />
      </section>
      {servers.length === 0 ? (
        <Empty icon="server" title="No servers">
          Add servers to the file of the gateway: they appear here when it is written.
        </Empty>
      ) : (
        <Topology overview={overview} />
      )}
      {warnings.length > 0 && (
        <Note
          tone="warning"
          title={warnings.length === 1 ? 'A warning' : `${warnings.length} warnings`}
        >
          <ul className="plain-list">
            {warnings.map((warning) => (
              <li key={warning}>
                <PlainText text={warning} />
              </li>
            ))}
          </ul>
        </Note>
      )}
    </div>
  )
}
