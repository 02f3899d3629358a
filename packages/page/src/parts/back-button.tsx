import { Button } from '@mantine/core'
import type { ReactElement } from 'react'

import { Icon } from '../icons.tsx'

/** Back to the list, where there is room for one column only. */
export function BackButton({
  label,
  onClick,
}: {
  readonly label: string
  readonly onClick: () => void
}): ReactElement {
  return (
    <div className="back">
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Icon name="chevronLeft" size={14} />}
        onClick={onClick}
      >
        {label}
      </Button>
    </div>
  )
}
