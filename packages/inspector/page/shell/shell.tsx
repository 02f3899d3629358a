import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Boundary, createLoadable, Loaded } from '@parley/page/parts'
import { ServiceBanner } from '@parley/page/shell'
import type { ReactElement } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'

import { useStore } from '../store.ts'
import { useView } from '../view.ts'
import { Dialogs } from './dialogs.tsx'
import { Header } from './header.tsx'
import { useKeys } from './keys.ts'
import { ServerPalette } from './palette.tsx'
import { Rail } from './servers/rail.tsx'
import { StatusBar } from './status-bar.tsx'
import { Workspace } from './workspace.tsx'

const trace = createLoadable(async () => (await import('../trace/trace-drawer.tsx')).TraceDrawer)

/** Begins to fetch the trace, as `loadTab` does a tab. */
export function loadTrace(): void {
  trace.load().catch(() => undefined) // who shows it tells
}

/** Rail, workspace and trace around each other; on a narrow screen the rail is a drawer. */
export function Shell(): ReactElement {
  useKeys()
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false })
  const isRailOpen = useView((view) => view.isRailOpen)
  const isTraceOpen = useView((view) => view.isTraceOpen)
  const isTraceFull = useView((view) => view.isTraceFull && view.isTraceOpen)
  const status = useStore((store) => store.status)
  const hasServers = useStore((store) => store.servers.length > 0)
  return (
    <div className="shell" data-trace-full={isTraceFull}>
      <a className="skip" href="#workspace" onClick={skipToWorkspace}>
        Skip to the workspace
      </a>
      <Header isNarrow={isNarrow} />
      <ServiceBanner status={status}>
        If the inspector was restarted, press <kbd className="keys">l</kbd> in its terminal for a
        new link.
      </ServiceBanner>
      <div className="shell-middle">
        {isNarrow ? (
          <Drawer
            opened={isRailOpen}
            onClose={() => useView.setState({ isRailOpen: false })}
            title="Servers"
            size={300}
            padding={0}
            closeButtonProps={{ 'aria-label': 'Close the list of servers' }}
          >
            <Rail hasTitle={false} />
          </Drawer>
        ) : (
          <aside className="rail-frame" aria-label="Servers" data-pane tabIndex={-1}>
            <Rail hasTitle />
          </aside>
        )}
        <Group className="grow" orientation="vertical" id="shell-rows">
          <Panel id="workspace-row" minSize={160} className="column-panel workspace-row">
            <Boundary name="The workspace">
              <Workspace />
            </Boundary>
          </Panel>
          {isTraceOpen && hasServers && (
            <Separator className="separator trace-height" aria-label="Height of the trace" />
          )}
          {isTraceOpen && hasServers && (
            <Panel
              id="trace-row"
              defaultSize="24%"
              minSize={110}
              className="column-panel trace-place"
            >
              <div className="column" data-pane tabIndex={-1}>
                <Boundary name="The trace">
                  <Loaded part={trace} name="The trace">
                    {(TraceDrawer) => <TraceDrawer />}
                  </Loaded>
                </Boundary>
              </div>
            </Panel>
          )}
        </Group>
      </div>
      <StatusBar />
      <Dialogs />
      <Boundary name="The palette">
        <ServerPalette />
      </Boundary>
    </div>
  )
}

/** The address says which server and tab are shown, so the link must not change it. */
function skipToWorkspace(event: { preventDefault: () => void }) {
  event.preventDefault()
  document.querySelector<HTMLElement>('#workspace')?.focus()
}
