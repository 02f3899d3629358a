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
        It was stopped, or the way to it is cut. What you see is from before; it is tried again
        every few seconds. If it was started anew, press <kbd className="keys">l</kbd> in its
        terminal for a new link.
      </Note>
    </div>
  )
}
