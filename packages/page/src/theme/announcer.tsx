import { VisuallyHidden } from '@mantine/core'
import type { ReactElement } from 'react'

import { useAnnouncement } from '../parts/announce.ts'

/** The live region of the page; what it says is not shown. */
export function Announcer(): ReactElement {
  const { text, count } = useAnnouncement()
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {/* A space more or less makes the same words news. */}
      {text}
      {count % 2 === 0 ? '' : '\u00A0'}
    </VisuallyHidden>
  )
}
