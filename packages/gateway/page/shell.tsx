import { Button } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Boundary, CopyText, createLoadable, Loaded, type Loadable } from '@parley/page/parts'
import { closeOver, PageShell, usePageKeys } from '@parley/page/shell'
import {
  groupKeys,
  listKeys,
  pageKeys,
  traceKeys,
  type KeyTable,
} from '@parley/page/shell/key-table'
import { useState, type ReactElement } from 'react'

import { OverviewView } from './overview/overview-view.tsx'
import { useStore } from './store.ts'
import { showServer, showView, useView, views, type ViewId } from './view.ts'

type Panel = () => ReactElement

const connectClient = createLoadable(
  async () => (await import('./overview/connect-client.tsx')).ConnectClient,
)

/** Each view is a part of its own; the first one is there at once. */
const panels: { readonly [Id in ViewId]: Loadable<Panel> } = {
  overview: createLoadable(() => Promise.resolve(OverviewView)),
  servers: createLoadable(async () => (await import('./servers/servers-view.tsx')).ServersView),
  sessions: createLoadable(async () => (await import('./sessions/sessions-view.tsx')).SessionsView),
  traffic: createLoadable(async () => (await import('./traffic/traffic-view.tsx')).TrafficView),
  policy: createLoadable(async () => (await import('./policy/policy-view.tsx')).PolicyView),
  quarantine: createLoadable(
    async () => (await import('./quarantine/quarantine-view.tsx')).QuarantineView,
  ),
  audit: createLoadable(async () => (await import('./audit/audit-view.tsx')).AuditView),
  keys: createLoadable(async () => (await import('./keys/keys-view.tsx')).KeysView),
  config: createLoadable(async () => (await import('./config/config-view.tsx')).ConfigView),
}

const gatewayKeys: KeyTable = {
  ...pageKeys,
  ...Object.fromEntries(
    views.map(({ id, label, letter }) => [
      `go-${id}`,
      { keys: [`g ${letter}`], place: 'page', does: `Open ${label}` } as const,
    ]),
  ),
  ...listKeys,
  ...traceKeys,
}

const keyGroups = groupKeys(gatewayKeys)

/** The frame around all views: where to go, and what is shown. */
export function Shell(): ReactElement {
  const { view } = useView()
  const status = useStore((store) => store.status)
  const state = useStore((store) => store.state)
  const servers = useStore((store) => store.overview?.servers ?? [])
  usePageKeys({
    table: gatewayKeys,
    chords: {
      start: 'g',
      follow(letter) {
        const found = views.find((each) => each.letter === letter)
        if (found) showView(found.id)
      },
    },
  })
  const label = views.find(({ id }) => id === view)?.label ?? ''

  return (
    <PageShell
      onHome={() => showView('overview')}
      version={state?.version}
      status={status}
      context={<Address />}
      rail={{ label: 'Views', content: <Navigation /> }}
      commands={[
        {
          title: 'Views',
          items: views.map(({ id, label: title, icon, letter }) => ({
            id,
            label: title,
            icon,
            keys: `g ${letter}`,
            run: () => showView(id),
          })),
        },
        {
          title: 'Servers',
          items: servers.map(({ name, state: { state: word } }) => ({
            id: `server ${name}`,
            label: name,
            description: word,
            icon: 'server',
            run: () => showServer(name),
          })),
        },
      ]}
      keys={keyGroups}
    >
      <main className="gateway-main" id="workspace" tabIndex={-1} data-pane aria-label={label}>
        <div className="view-title">
          <h1>{label}</h1>
          {view === 'servers' && <span className="count">{servers.length}</span>}
          {view === 'overview' && <Connect />}
        </div>
        <Boundary name={`The view ${label}`} key={view}>
          <Loaded part={panels[view]} name={label}>
            {(Shown) => <Shown />}
          </Loaded>
        </Boundary>
      </main>
    </PageShell>
  )
}

function Connect(): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <span className="grow" />
      <Button leftSection={<Icon name="plug" size={15} />} onClick={() => setIsOpen(true)}>
        Connect a client
      </Button>
      {isOpen && (
        <Loaded part={connectClient} name="The dialog" isQuiet>
          {(ConnectClient) => <ConnectClient onClose={() => setIsOpen(false)} />}
        </Loaded>
      )}
    </>
  )
}

/** Where clients reach this gateway. */
function Address(): ReactElement {
  const state = useStore((store) => store.state)
  const url = state?.url ?? undefined
  return (
    <>
      <span className="mono cut" title={state?.file}>
        {url ?? 'over standard input and output'}
      </span>
      {url !== undefined && (
        <span className="wide-only">
          <CopyText text={url} label="Copy the address" />
        </span>
      )}
    </>
  )
}

function Navigation(): ReactElement {
  const view = useView((state) => state.view)
  const overview = useStore((store) => store.overview)
  const troubled = overview?.servers.filter(({ state }) => isTroubled(state.state)).length ?? 0
  const counts: Partial<Record<ViewId, number>> = {
    servers: troubled,
    sessions: overview?.sessionCount ?? 0,
    quarantine: overview?.waiting ?? 0,
  }
  return (
    <nav className="rail-scroll" aria-label="Views">
      {views.map(({ id, label, icon }) => {
        const count = counts[id] ?? 0
        const isUrgent = id !== 'sessions'
        return (
          <button
            key={id}
            type="button"
            className="nav"
            {...(id === view && { 'aria-current': 'page' as const, 'data-focus': true })}
            onClick={() => {
              closeOver()
              showView(id)
            }}
          >
            <Icon name={icon} size={16} />
            <span className="grow">{label}</span>
            {count > 0 && (
              <span className="nav-count" data-urgent={isUrgent}>
                {count}
                {isUrgent && <span className="visually-hidden"> need attention</span>}
              </span>
            )}
          </button>
        )
      })}
    </nav>
  )
}

function isTroubled(state: string): boolean {
  return state === 'failed' || state === 'backing-off' || state === 'degraded'
}
