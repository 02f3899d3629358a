import { Empty } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { formatRate, formatTimes } from '../parts/figures.tsx'
import { StateReason, StateTag } from '../parts/server-state.tsx'
import { useStore } from '../store.ts'
import { showServer, useView } from '../view.ts'
import { ServerDetail } from './server-detail.tsx'

/** All servers, and one of them closer. */
export function ServersView(): ReactElement {
  const servers = useStore((store) => store.overview?.servers ?? [])
  const chosen = useView((view) => view.server)
  const server = servers.find(({ name }) => name === chosen)
  if (server) return <ServerDetail server={server} />
  if (servers.length === 0) {
    return (
      <Empty icon="server" title="No servers">
        Add servers to the file of the gateway: they appear here when it is written.
      </Empty>
    )
  }
  return (
    <div className="view">
      <div className="card">
        <div className="table-scroll" tabIndex={0} role="region" aria-label="Servers">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Server</th>
                <th scope="col">State</th>
                <th scope="col">Offers</th>
                <th scope="col">Connections</th>
                <th scope="col">Calls</th>
                <th scope="col">Failed</th>
                <th scope="col">p50 / p99</th>
              </tr>
            </thead>
            <tbody>
              {servers.map(({ name, state, counts, connections, maxConnections, metrics }) => (
                <tr key={name}>
                  <th scope="row">
                    <button type="button" className="link-button" onClick={() => showServer(name)}>
                      {name}
                    </button>
                  </th>
                  <td>
                    <StateTag state={state} />
                    <StateReason state={state} />
                  </td>
                  <td>
                    {counts.tools} tools, {counts.prompts} prompts,{' '}
                    {counts.resources + counts.resourceTemplates} resources
                  </td>
                  <td className="number">
                    {connections} of {maxConnections}
                  </td>
                  <td className="number">{formatRate(metrics.callsPerSecond)}</td>
                  <td className="number">{metrics.errors}</td>
                  <td className="number">{formatTimes(metrics)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  )
}
