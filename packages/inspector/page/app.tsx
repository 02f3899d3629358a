import { IconLoader } from '@parley/page/peer-icons'
import { Entrance } from '@parley/page/shell'
import { PageFrame } from '@parley/page/theme'
import type { ReactElement } from 'react'

import { openChannel } from './channel.ts'
import { Shell } from './shell/shell.tsx'
import { useStore } from './store.ts'

const program = { name: 'inspector', title: 'Parley Inspector' }

/** The whole page. */
export function App(): ReactElement {
  const isReady = useStore((store) => store.isReady)
  const status = useStore((store) => store.status)
  return (
    <PageFrame program={program}>
      {isReady && status !== 'refused' ? (
        <IconLoader value={loadIcon}>
          <Shell />
        </IconLoader>
      ) : (
        <Entrance status={status}>
          Press <kbd className="keys">l</kbd> in the terminal of the inspector for a new link.
        </Entrance>
      )}
    </PageFrame>
  )
}

function loadIcon(server: string, src: string) {
  return openChannel().ask('icons/load', { server, src })
}
