import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import type { ReactElement } from 'react'

import { useStore } from '../../store.ts'
import { openDialog } from '../../view.ts'
import { RailItem } from './rail-item.tsx'
import { startable } from './start-all.tsx'

/** Every server at once: how it stands, and what can be done with it. */
export function Rail(): ReactElement {
  const servers = useStore((store) => store.servers)
  return (
    <nav className="rail" aria-label="Connections">
      <div className="rail-head">
        <h2 className="wide-only">Servers</h2>
        <span className="count">{servers.length}</span>
        <span className="grow" />
        {startable(servers).length > 1 && (
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => openDialog({ kind: 'start-all' })}
          >
            Start all
          </Button>
        )}
        <Tooltip label="Add a server">
          <ActionIcon aria-label="Add a server" onClick={() => openDialog({ kind: 'add-server' })}>
            <Icon name="plus" size={17} />
          </ActionIcon>
        </Tooltip>
      </div>
      <ul className="rail-list">
        {servers.map((server) => (
          <RailItem key={server.name} server={server} />
        ))}
      </ul>
      {servers.length === 0 && (
        <div className="pad quiet">No server yet. Add one by its command or its address.</div>
      )}
      <div className="pad">
        <Button
          fullWidth
          variant="default"
          leftSection={<Icon name="plus" size={15} />}
          onClick={() => openDialog({ kind: 'add-server' })}
        >
          Add server
        </Button>
      </div>
    </nav>
  )
}
