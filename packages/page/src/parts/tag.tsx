import { Tooltip } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

import { Icon, type IconName } from '../icons.tsx'

/** What a tag says besides its words. */
export type Tone = 'plain' | 'accent' | 'good' | 'warning' | 'bad' | 'info'

export interface TagProps {
  readonly children: ReactNode
  readonly tone?: Tone
  readonly icon?: IconName
  /** More words, on hover and focus. */
  readonly title?: string
}

/** A few words in a small frame. */
export function Tag({ children, tone = 'plain', icon, title }: TagProps): ReactElement {
  const tag = (
    <span className="tag" data-tone={tone}>
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  )
  return title === undefined ? tag : <Tooltip label={title}>{tag}</Tooltip>
}
