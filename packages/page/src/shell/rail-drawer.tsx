import { Drawer } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

import { closeOver, useShellState } from './place.ts'

export interface RailDrawerProps {
  readonly label: string
  readonly children: ReactNode
}

/** The side bar of a narrow window, which lies over the page. */
export function RailDrawer({ label, children }: RailDrawerProps): ReactElement {
  const isOpen = useShellState(({ over }) => over === 'rail')
  return (
    <Drawer
      opened={isOpen}
      onClose={closeOver}
      title={label}
      size={300}
      padding={0}
      classNames={{ body: 'rail-drawer' }}
      closeButtonProps={{ 'aria-label': 'Close the side bar' }}
    >
      <div className="rail">{children}</div>
    </Drawer>
  )
}
