import type { ReactElement } from 'react'

import type { ChannelStatus } from '../channel/channel.ts'
import { Note } from '../parts/problem.tsx'
import { useProgram } from '../theme/program.ts'

export interface ServiceBannerProps {
  readonly status: ChannelStatus
}

/** Says that what is shown is old, while the service behind the page does not answer. */
export function ServiceBanner({ status }: ServiceBannerProps): ReactElement | null {
  const { name, newLink } = useProgram()
  if (status !== 'lost') return null
  return (
    <div className="service-banner">
      <Note tone="bad" isUrgent title={`The ${name} does not answer`}>
        It was stopped, or the connection is broken. This page shows the last known state and
        reconnects every few seconds. {newLink}
      </Note>
    </div>
  )
}
