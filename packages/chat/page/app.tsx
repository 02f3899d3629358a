import { Entrance } from '@parley/page/shell'
import { PageFrame } from '@parley/page/theme'
import type { ReactElement } from 'react'

import { Shell } from './shell.tsx'
import { useStore } from './store.ts'

const program = { name: 'chat', title: 'Parley Chat' }

/** The whole page. */
export function App(): ReactElement {
  const isReady = useStore((store) => store.isReady)
  const status = useStore((store) => store.status)
  return (
    <PageFrame program={program}>
      {isReady && status !== 'refused' ? (
        <Shell />
      ) : (
        <Entrance status={status}>
          Press <kbd className="keys">l</kbd> in the terminal of the chat for a new link.
        </Entrance>
      )}
    </PageFrame>
  )
}
