import { useState, type ReactElement } from 'react'

import { Initials } from './initials.tsx'
import type { Entry } from './read-entry.ts'
import { useSettings } from './settings.ts'

export interface EntryIconProps {
  readonly entry: Entry
  readonly size?: number | undefined
}

/** The icon of a server where icons of strangers may be loaded; its initials elsewhere, and where it cannot be. */
export function EntryIcon({ entry, size = 36 }: EntryIconProps): ReactElement {
  const mayLoad = useSettings(({ icons }) => icons)
  const [hasFailed, setHasFailed] = useState(false)
  const { name, icon } = entry
  if (!mayLoad || icon === undefined || hasFailed) return <Initials name={name} size={size} />
  return (
    <img
      className="entry-icon"
      src={icon}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      referrerPolicy="no-referrer"
      onError={() => setHasFailed(true)}
    />
  )
}
