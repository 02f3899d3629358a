import { Loader } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

import type { ChannelStatus } from '../channel/channel.ts'
import { Empty } from '../parts/empty.tsx'
import { useProgram } from '../theme/program.ts'

export interface EntranceProps {
  readonly status: ChannelStatus
  /** How to get a new link. */
  readonly children?: ReactNode
}

/** What there is to see before the service has answered, or when it does not let this browser in. */
export function Entrance({ status, children }: EntranceProps): ReactElement {
  const { name, title } = useProgram()
  if (status === 'refused') {
    return (
      <main className="entrance">
        <h1 className="entrance-title">{title}</h1>
        <Empty icon="lock" title="This browser has no access yet">
          The {name} prints a link when it starts. Open that link: it works once, and this browser
          then keeps its access. {children}
        </Empty>
      </main>
    )
  }
  return (
    <main className="entrance" aria-busy="true">
      <h1 className="entrance-title">{title}</h1>
      <div className="row quiet">
        <Loader size={16} />{' '}
        {status === 'lost' ? `The ${name} does not answer. Trying again…` : 'Connecting…'}
      </div>
    </main>
  )
}
