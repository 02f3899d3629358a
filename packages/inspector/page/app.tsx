import { IconLoader } from '@parley/page/peer-icons'
import { Entrance } from '@parley/page/shell'
import type { ReactElement } from 'react'

import { openChannel } from './channel.ts'
import { Shell } from './shell/shell.tsx'
import { useStore } from './store.ts'

/** The whole page. */
export function App(): ReactElement {
  const isReady = useStore((store) => store.isReady)
  const status = useStore((store) => store.status)
  return (
    <Entrance status={status} isReady={isReady}>
      <IconLoader value={loadIcon}>
        <Shell />
      </IconLoader>
    </Entrance>
  )
}

function loadIcon(server: string, src: string) {
  return openChannel().ask('icons/load', { server, src })
}
