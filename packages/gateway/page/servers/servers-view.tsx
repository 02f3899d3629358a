import { DataTable, Empty } from '@parley/page/parts'
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
        <DataTable
          label="Servers"
          columns={[
            'Server',
            'State',
            right('Tools'),
            right('Prompts'),
            right('Resources'),
            right('Connections'),
            right('Load'),
            right('Failed'),
            right('p50 / p99'),
          ]}
        >
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
              <td className="number">{zero(counts.tools)}</td>
              <td className="number">{zero(counts.prompts)}</td>
              <td className="number">{zero(counts.resources + counts.resourceTemplates)}</td>
              <td className="number">
                {connections} of {maxConnections}
              </td>
              <td className="number">{formatRate(metrics.callsPerSecond)}</td>
              <td className="number">{metrics.errors}</td>
              <td className="number">{formatTimes(metrics)}</td>
            </tr>
          ))}
        </DataTable>
      </div>
    </div>
  )
}

function right(title: string) {
  return { title, align: 'right' } as const
}

/** Nothing is a dash, so that numbers stand out. */
function zero(count: number): string {
  return count === 0 ? '–' : String(count)
}
