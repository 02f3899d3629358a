import type { ReactElement, ReactNode } from 'react'

import { Icon, type IconName } from '../icons.tsx'

export interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Says why a place is empty and what would fill it. */
export function Empty({ icon, title, children, action }: EmptyProps): ReactElement {
  return (
    <div className="empty">
      <div className="empty-icon">
        <Icon name={icon} size={22} />
      </div>
      <div className="empty-title">{title}</div>
      {children !== undefined && <div className="empty-text">{children}</div>}
      {action}
    </div>
  )
}
