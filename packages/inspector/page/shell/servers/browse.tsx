import { BrowseRegistry, type BrowseSource } from '@parley/page/browse'
import type { ReactElement } from 'react'

import { openChannel } from '../../channel.ts'
import { useStore } from '../../store.ts'
import { takeAdded } from './server-actions.ts'

/** A command is reviewed in a dialog of its own, like those of every other kind of server. */
const source: BrowseSource = {
  search: (params) => openChannel().ask('catalogue/search', params),
  read: (params) => openChannel().ask('catalogue/read', params),
  add: async (choice) => takeAdded(await openChannel().ask('catalogue/add', choice)),
}

const labels = { command: 'Review command', url: 'Add and connect' }

/** Finds a server in a registry. */
export function Browse(): ReactElement {
  const servers = useStore((store) => store.servers)
  const may = useStore((store) => store.may)
  return (
    <BrowseRegistry
      source={source}
      taken={new Set(servers.map(({ name }) => name))}
      whyNotStart={
        may.spawn
          ? undefined
          : 'It has to be started, and the inspector was started with --no-spawn.'
      }
      labels={labels}
    />
  )
}
