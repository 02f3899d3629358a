import { Entrance } from '@parley/page/shell'
import { PageFrame } from '@parley/page/theme'
import type { ReactElement } from 'react'

import { Shell } from './shell.tsx'
import { useStore } from './store.ts'

const program = { name: 'gateway', title: 'Parley Gateway' }

/** The whole page. */
export function App(): ReactElement {
  const status = useStore((store) => store.status)
  const isReady = useStore((store) => store.state !== undefined && store.overview !== undefined)
  return (
    <PageFrame program={program}>
      {isReady && status !== 'refused' ? (
        <Shell />
      ) : (
        <Entrance status={status}>
          A new link: <code className="code-inline">parley gateway page FILE</code>
        </Entrance>
      )}
    </PageFrame>
  )
}
