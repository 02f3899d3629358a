import { Icon } from '@parley/page/icons'
import type { ReactElement } from 'react'

import { isConnected } from '../lists.ts'
import { useRuns } from '../runs.ts'
import { useStore } from '../store.ts'
import { showTab, toggleTrace, useView } from '../view.ts'

/** The line at the bottom: the trace's switch, and what is going on everywhere. */
export function StatusBar(): ReactElement {
  const isTraceOpen = useView((view) => view.isTraceOpen)
  const { status, servers, questions, version, may } = useStore()
  const running = useRuns(({ runs }) => runs.filter((run) => run.state !== 'done').length)
  const connected = servers.filter(isConnected).length
  const open = questions.filter(({ state }) => state === 'open').length
  return (
    <footer className="status-bar">
      <button
        type="button"
        className="status-button"
        aria-expanded={isTraceOpen}
        onClick={toggleTrace}
      >
        <Icon name={isTraceOpen ? 'chevronDown' : 'chevronUp'} size={14} />
        Trace
      </button>
      <span className="row">
        <Icon name="plug" size={13} /> {connected} of {servers.length}
        <span className="wide-only">connected</span>
      </span>
      {running > 0 && (
        <span className="row">
          <Icon name="refresh" size={13} className="spin" /> {running} running
        </span>
      )}
      {open > 0 && (
        <button type="button" className="status-button" onClick={() => showTab('requests')}>
          <Icon name="inbox" size={13} /> {open} {open === 1 ? 'request waits' : 'requests wait'}
        </button>
      )}
      <span className="grow" />
      {!may.change && (
        <span className="row">
          <Icon name="eye" size={13} /> Read only
        </span>
      )}
      {!may.spawn && (
        <span className="row wide-only">
          <Icon name="shield" size={13} /> No commands
        </span>
      )}
      {status === 'open' ? (
        <span className="row wide-only">
          <Icon name="check" size={13} /> Inspector {version}
        </span>
      ) : (
        <span className="row status-lost">
          <Icon name="alert" size={13} /> Inspector lost, reconnecting
        </span>
      )}
    </footer>
  )
}
