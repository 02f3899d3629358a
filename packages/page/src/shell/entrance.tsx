import { Loader } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

import type { ChannelStatus } from '../channel/channel.ts'
import { Empty } from '../parts/empty.tsx'
import { useProgram } from '../theme/program.ts'

export interface EntranceProps {
  readonly status: ChannelStatus
  /** Whether the service has said what there is to show. */
  readonly isReady: boolean
  /** The page. */
  readonly children: ReactNode
}

/** Shows the page once the service has answered; before that says that it waits, or that this browser has no access. */
export function Entrance({ status, isReady, children }: EntranceProps): ReactElement {
  const { name, title, newLink } = useProgram()
  if (isReady && status !== 'refused') return <>{children}</>
  if (status === 'refused') {
    return (
      <main className="entrance">
        <h1 className="entrance-title">{title}</h1>
        <Empty icon="lock" title="This browser has no access yet">
          The {name} prints a link when it starts. Open that link: it works once, and this browser
          then keeps its access. {newLink}
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
