import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'

import { Icon } from '../../icons.tsx'

/** A button that copies a text and says so. */
export function CopyText({
  text,
  label,
}: {
  readonly text: string
  readonly label: string
}): ReactElement {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon aria-label={copied ? 'Copied' : label} onClick={copy}>
            <Icon name={copied ? 'check' : 'copy'} size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
