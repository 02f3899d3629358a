import { ActionIcon, NativeSelect, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Boundary, createLoadable, Loaded, type Loadable } from '@parley/page/parts'
import {
  ColourMenu,
  KeyList,
  Palette,
  PaletteButton,
  Preferences,
  ServiceBanner,
  usePageKeys,
} from '@parley/page/shell'
import {
  groupKeys,
  listKeys,
  pageKeys,
  traceKeys,
  type KeyTable,
} from '@parley/page/shell/key-table'
import type { ReactElement } from 'react'

import { OverviewView } from './overview/overview-view.tsx'
import { useStore } from './store.ts'
import { showServer, showView, useView, views, type ViewId } from './view.ts'

type Panel = () => ReactElement

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

/** The frame around all views: who we are, where to go, and what is shown. */
export function Shell(): ReactElement {
  const { view, dialog } = useView()
  const status = useStore((store) => store.status)
  const servers = useStore((store) => store.overview?.servers ?? [])
  const close = () => useView.setState({ dialog: undefined })
  usePageKeys({
    table: gatewayKeys,
    letters: { keys: () => useView.setState({ dialog: 'keys' }) },
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
    <div className="shell">
      <a className="skip" href="#workspace">
        Skip to the content
      </a>
      <Header />
      <ServiceBanner status={status}>
        After a restart of the gateway, open a new link:{' '}
        <code className="code-inline">parley gateway page FILE</code>
      </ServiceBanner>
      <div className="shell-middle">
        <Navigation />
        <main className="gateway-main" id="workspace" tabIndex={-1} data-pane aria-label={label}>
          <h1 className="sr">{label}</h1>
          <Boundary name={`The view ${label}`} key={view}>
            <Loaded part={panels[view]} name={label}>
              {(Shown) => <Shown />}
            </Loaded>
          </Boundary>
        </main>
      </div>
      <Palette
        placeholder="A view, or a server"
        groups={[
          {
            group: 'Views',
            actions: views.map(({ id, label: title, icon }) => ({
              id,
              label: title,
              leftSection: <Icon name={icon} size={16} />,
              onClick: () => showView(id),
            })),
          },
          {
            group: 'Servers',
            actions: servers.map(({ name, state }) => ({
              id: `server ${name}`,
              label: name,
              description: state.state,
              leftSection: <Icon name="server" size={16} />,
              onClick: () => showServer(name),
            })),
          },
        ]}
      />
      {dialog === 'keys' && <KeyList groups={groupKeys(gatewayKeys)} onClose={close} />}
      {dialog === 'preferences' && <Preferences onClose={close} />}
    </div>
  )
}

function Header(): ReactElement {
  const state = useStore((store) => store.state)
  return (
    <header className="header">
      <div className="brand">
        Parley <span>Gateway</span>
      </div>
      <span className="header-file mono cut quiet" title={state?.file}>
        {state?.url ?? 'over standard input and output'}
      </span>
      <PaletteButton hasKey={innerWidth > 700}>Go to…</PaletteButton>
      <Tooltip label="Keys (?)">
        <ActionIcon aria-label="Keys" onClick={() => useView.setState({ dialog: 'keys' })}>
          <Icon name="keyboard" size={17} />
        </ActionIcon>
      </Tooltip>
      <ColourMenu />
      <Tooltip label="Preferences">
        <ActionIcon
          aria-label="Preferences"
          onClick={() => useView.setState({ dialog: 'preferences' })}
        >
          <Icon name="gear" size={17} />
        </ActionIcon>
      </Tooltip>
    </header>
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
    <>
      <nav className="gateway-nav" aria-label="Views" data-pane>
        {views.map(({ id, label, icon }) => {
          const count = counts[id] ?? 0
          const isUrgent = id !== 'sessions'
          return (
            <button
              key={id}
              type="button"
              className="nav-item"
              {...(id === view && { 'aria-current': 'page' as const, 'data-focus': true })}
              onClick={() => showView(id)}
            >
              <Icon name={icon} size={16} />
              <span className="grow">{label}</span>
              {count > 0 && (
                <span className="nav-count" data-urgent={isUrgent}>
                  {count}
                  {isUrgent && <span className="sr"> need attention</span>}
                </span>
              )}
            </button>
          )
        })}
      </nav>
      <NativeSelect
        className="gateway-pick"
        aria-label="View"
        value={view}
        data={views.map(({ id, label }) => ({ value: id, label }))}
        onChange={(event) => showView(event.currentTarget.value as ViewId)} // one of the list
      />
    </>
  )
}

function isTroubled(state: string): boolean {
  return state === 'failed' || state === 'backing-off' || state === 'degraded'
}
