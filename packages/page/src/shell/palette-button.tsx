import { UnstyledButton } from '@mantine/core'
import { spotlight } from '@mantine/spotlight'
import type { ReactElement, ReactNode } from 'react'

import { Icon } from '../icons.tsx'

const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

export interface PaletteButtonProps {
  readonly hasKey: boolean
  readonly children: ReactNode
}

/** Opens the palette; where there is room it says by which key. */
export function PaletteButton({ hasKey, children }: PaletteButtonProps): ReactElement {
  return (
    <UnstyledButton className="palette-button" onClick={() => spotlight.open()}>
      <Icon name="search" size={14} />
      <span className="grow cut">{children}</span>
      {hasKey && <kbd className="keys">{modifier} K</kbd>}
    </UnstyledButton>
  )
}
