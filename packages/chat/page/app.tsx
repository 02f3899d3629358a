import { Entrance } from '@parley/page/shell'
import type { ReactElement } from 'react'

import { Shell } from './shell.tsx'
import { useStore } from './store.ts'

/** The whole page. */
export function App(): ReactElement {
  const isReady = useStore((store) => store.isReady)
  const status = useStore((store) => store.status)
  return (
    <Entrance status={status} isReady={isReady}>
      <Shell />
    </Entrance>
  )
}
