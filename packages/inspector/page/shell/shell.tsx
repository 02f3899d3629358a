import { Boundary, createLoadable, Loaded } from '@parley/page/parts'
import { PageShell } from '@parley/page/shell'
import type { ReactElement } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'

import { keyGroups } from '../key-table.ts'
import { useStore } from '../store.ts'
import { TraceStrip } from '../trace/trace-strip.tsx'
import { showTab, useView } from '../view.ts'
import { Activity } from './activity.tsx'
import { useKeys } from './keys.ts'
import { useCommands } from './palette.tsx'
import { Rail } from './servers/rail.tsx'
import { useSettings } from './settings.tsx'
import { Workspace } from './workspace.tsx'

const dialogs = createLoadable(async () => (await import('./dialogs.tsx')).Dialogs)
const trace = createLoadable(async () => (await import('../trace/trace-drawer.tsx')).TraceDrawer)

/** Begins to fetch the trace, as `loadTab` does a tab. */
export function loadTrace(): void {
  trace.load().catch(() => undefined) // shown by the trace itself
}

/** Rail, workspace and trace around each other. */
export function Shell(): ReactElement {
  useKeys()
  const hasDialog = useView((view) => view.dialog !== undefined)
  const isTraceOpen = useView((view) => view.isTraceOpen)
  const isTraceFull = useView((view) => view.isTraceFull && view.isTraceOpen)
  const status = useStore((store) => store.status)
  const version = useStore((store) => store.version)
  const hasServers = useStore((store) => store.servers.length > 0)
  const commands = useCommands()
  const settings = useSettings()
  return (
    <PageShell
      onHome={() => showTab('tools')}
      version={version}
      status={status}
      actions={<Activity />}
      rail={{ label: 'Servers', content: <Rail /> }}
      commands={commands}
      keys={keyGroups}
      settings={settings}
    >
      <div className="inspector-rows" data-trace-full={isTraceFull}>
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
              defaultSize="30%"
              minSize={110}
              className="column-panel trace-place"
            >
              <section className="column" aria-label="Trace" data-pane tabIndex={-1}>
                <Boundary name="The trace">
                  <Loaded part={trace} name="The trace">
                    {(TraceDrawer) => <TraceDrawer />}
                  </Loaded>
                </Boundary>
              </section>
            </Panel>
          )}
        </Group>
        {!isTraceOpen && hasServers && <TraceStrip />}
      </div>
      {hasDialog && (
        <Loaded part={dialogs} name="The dialog">
          {(Dialogs) => <Dialogs />}
        </Loaded>
      )}
    </PageShell>
  )
}
