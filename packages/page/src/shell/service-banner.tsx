import type { ReactElement } from 'react'

import { Note } from '../parts/problem.tsx'
import { useStore } from '../store.ts'

/** Says that what is shown is old, while the service behind the page does not answer. */
export function ServiceBanner(): ReactElement | null {
  const status = useStore((store) => store.status)
  if (status !== 'lost') return null
  return (
    <div className="service-banner">
      <Note tone="bad" isUrgent title="The inspector does not answer">
        It was stopped, or the connection is broken. This page shows the last known state and
        reconnects every few seconds. If the inspector was restarted, press{' '}
        <kbd className="keys">l</kbd> in its terminal for a new link.
      </Note>
    </div>
  )
}
