import { Button } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Boundary, Empty } from '@parley/page/parts'
import { useEffect, type ReactElement } from 'react'

import { useStore } from '../store.ts'
import { openDialog, showServer, useView } from '../view.ts'
import { TabPanel } from './panels.tsx'
import { ServerBanner } from './servers/server-banner.tsx'
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
          title="Inspect a server"
          action={
            <Button
              leftSection={<Icon name="plus" size={15} />}
              onClick={() => openDialog({ kind: 'add-server' })}
            >
              Add server
            </Button>
          }
        >
          Add a command to start, or the URL of a running server. What it offers and all messages
          appear here.
        </Empty>
      ) : (
        <>
          <TabBar server={server} tab={tab} />
          <ServerBanner server={server} />
          <div
            className="workspace-panel"
            role="tabpanel"
            id={`panel-${tab}`}
            aria-labelledby={`tab-${tab}`}
            key={tab === 'requests' || tab === 'collections' ? tab : `${server.name} ${tab}`}
          >
            <Boundary name="This tab">
              <TabPanel tab={tab} server={server} />
            </Boundary>
          </div>
        </>
      )}
    </main>
  )
}
