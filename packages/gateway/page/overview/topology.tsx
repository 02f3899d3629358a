import { Icon } from '@parley/page/icons'
import { formatMs } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { CallerView, Metrics, Overview, ServerView } from '../../src/page-service/protocol.ts'
import { formatRate } from '../parts/figures.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { StateReason, StateTag } from '../parts/server-state.tsx'
import { showServer } from '../view.ts'

const maxCallers = 8

/** From those who call, through the gateway, to the servers. */
export function Topology({ overview }: { readonly overview: Overview }): ReactElement {
  const { callers, servers, gateway, sessionCount } = overview
  const shown = callers.slice(0, maxCallers)
  const rest = callers.length - shown.length
  return (
    <section className="topology" aria-label="Who calls what">
      <div className="topology-column">
        <h2>Callers</h2>
        {shown.length === 0 && (
          <p className="quiet topology-none">No calls since this page was opened.</p>
        )}
        <ul className="plain-list">
          {shown.map((caller) => (
            <CallerNode key={`${caller.name} ${caller.client}`} caller={caller} />
          ))}
        </ul>
        {rest > 0 && <p className="quiet">and {rest} more</p>}
      </div>
      <Wire metrics={gateway} />
      <div className="topology-column topology-hub">
        <div className="node" data-kind="hub">
          <Icon name="shield" size={20} />
          <strong>Gateway</strong>
          <span className="quiet">
            {formatRate(gateway.callsPerSecond)}
            <br />
            {sessionCount} {sessionCount === 1 ? 'session' : 'sessions'}
          </span>
        </div>
      </div>
      <Wire metrics={gateway} />
      <div className="topology-column">
        <h2>Servers</h2>
        <ul className="plain-list">
          {servers.map((server) => (
            <ServerNode key={server.name} server={server} />
          ))}
        </ul>
      </div>
    </section>
  )
}

function CallerNode({ caller }: { readonly caller: CallerView }): ReactElement {
  return (
    <li className="node">
      <div className="node-head">
        <Icon name="terminal" size={15} />
        <strong className="cut">
          <PlainText text={caller.name} most={80} />
        </strong>
      </div>
      <div className="quiet cut">
        <PlainText text={caller.client} most={80} />
      </div>
      <NodeMetrics metrics={caller.metrics} />
    </li>
  )
}

function ServerNode({ server }: { readonly server: ServerView }): ReactElement {
  const { name, state, metrics, counts } = server
  return (
    <li className="node" data-state={state.state}>
      <div className="node-head">
        <button type="button" className="link-button" onClick={() => showServer(name)}>
          {name}
        </button>
        <span className="grow" />
        <StateTag state={state} />
      </div>
      <StateReason state={state} />
      <NodeMetrics metrics={metrics}>
        <span>{counts.tools} tools</span>
      </NodeMetrics>
    </li>
  )
}

function NodeMetrics(props: {
  readonly metrics: Metrics
  readonly children?: ReactElement
}): ReactElement {
  const { callsPerSecond, errors, inFlight, p50, p99 } = props.metrics
  return (
    <div className="node-figures">
      {props.children}
      <span>{formatRate(callsPerSecond)}</span>
      {inFlight > 0 && <span>{inFlight} in flight</span>}
      {errors > 0 && <span data-tone="bad">{errors} failed</span>}
      {p50 !== undefined && p99 !== undefined && (
        <span title="Half of the calls are faster than the first, and 99 of 100 than the second">
          p50 {formatMs(p50)}, p99 {formatMs(p99)}
        </span>
      )}
    </div>
  )
}

/** An ornament: what it says stands in the nodes as well. */
function Wire({ metrics }: { readonly metrics: Metrics }): ReactElement {
  const isBusy = metrics.callsPerSecond > 0 || metrics.inFlight > 0
  return (
    <div className="wire" aria-hidden="true" data-busy={isBusy}>
      <Icon name="chevronRight" size={16} />
    </div>
  )
}
