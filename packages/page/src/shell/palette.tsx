import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import type { ReactElement } from 'react'

import { Icon } from '../icons.tsx'

/** Things of one kind in the palette. */
export type PaletteGroup = SpotlightActionGroupData

export interface PaletteProps {
  readonly groups: readonly PaletteGroup[]
  readonly placeholder: string
}

/** Everything by name: `Ctrl K` or `⌘ K`. */
export function Palette({ groups, placeholder }: PaletteProps): ReactElement {
  return (
    <Spotlight
      actions={[...groups]}
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      nothingFound="Nothing has that name."
      highlightQuery
      limit={40}
      maxHeight={420}
      scrollable
      attributes={{ content: { 'aria-label': 'Palette' } }}
      scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
      searchProps={{
        leftSection: <Icon name="search" size={18} />,
        placeholder,
        'aria-label': 'Search everything',
      }}
    />
  )
}
