import { Button } from '@mantine/core'
import { useEffect, type ReactElement } from 'react'

import { AuthPanel } from '../auth/auth-panel.tsx'
import { BenchPanel } from '../bench/bench-panel.tsx'
import { CollectionsPanel } from '../collections/collections-panel.tsx'
import { Icon } from '../icons.tsx'
import { LogsPanel } from '../logs/logs-panel.tsx'
import { OverviewPanel } from '../overview/overview-panel.tsx'
import { Empty } from '../parts/empty.tsx'
import { PromptsPanel } from '../prompts/prompts-panel.tsx'
import { RequestsPanel } from '../requests/requests-panel.tsx'
import { ResourcesPanel } from '../resources/resources-panel.tsx'
import { useStore } from '../store.ts'
import { TasksPanel } from '../tasks/tasks-panel.tsx'
import { ToolsPanel } from '../tools/tools-panel.tsx'
import { openDialog, showServer, useView, type TabId } from '../view.ts'
import { TabBar } from './tab-bar.tsx'

/** The tabs and the panel of the one that is open. */
export function Workspace(): ReactElement {
  const servers = useStore((store) => store.servers)
  const chosen = useView((view) => view.server)
  const tab = useView((view) => view.tab)
  const server = servers.find(({ name }) => name === chosen)
  const first = servers[0]?.name

  useEffect(() => {
    if (server === undefined && first !== undefined) showServer(first)
  }, [server, first])

  return (
    <main className="workspace" id="workspace" tabIndex={-1} data-pane aria-label="Workspace">
      {server === undefined ? (
        <Empty
          icon="server"
          title="Look inside a server"
          action={
            <Button
              leftSection={<Icon name="plus" size={15} />}
              onClick={() => openDialog({ kind: 'add-server' })}
            >
              Add server
            </Button>
          }
        >
          Add a command to start, or the address of a server that runs. Everything it offers and
          everything that is said shows here.
        </Empty>
      ) : (
        <>
          <TabBar server={server} tab={tab} />
          <div
            className="workspace-panel"
            role="tabpanel"
            id={`panel-${tab}`}
            aria-labelledby={`tab-${tab}`}
            key={tab === 'requests' || tab === 'collections' ? tab : `${server.name} ${tab}`}
          >
            {panelOf(tab)}
          </div>
        </>
      )}
    </main>
  )

  function panelOf(shown: TabId): ReactElement | null {
    if (server === undefined) return null
    switch (shown) {
      case 'overview':
        return <OverviewPanel server={server} />
      case 'tools':
        return <ToolsPanel server={server} />
      case 'resources':
        return <ResourcesPanel server={server} />
      case 'prompts':
        return <PromptsPanel server={server} />
      case 'requests':
        return <RequestsPanel />
      case 'tasks':
        return <TasksPanel server={server} />
      case 'logs':
        return <LogsPanel server={server} />
      case 'auth':
        return <AuthPanel server={server} />
      case 'bench':
        return <BenchPanel server={server.name} />
      case 'collections':
        return <CollectionsPanel />
    }
  }
}
