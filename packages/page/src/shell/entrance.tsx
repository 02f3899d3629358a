import { Loader } from '@mantine/core'
import type { ReactElement } from 'react'

import type { ChannelStatus } from '../channel.ts'
import { Empty } from '../parts/empty.tsx'

/** What there is to see before the service has answered, or when it does not let this browser in. */
export function Entrance({ status }: { readonly status: ChannelStatus }): ReactElement {
  if (status === 'refused') {
    return (
      <main className="entrance">
        <h1 className="entrance-title">Parley Inspector</h1>
        <Empty icon="lock" title="This browser has no access yet">
          The inspector prints a link when it starts. Open that link: it works once, and this
          browser then keeps its access. Press <kbd className="keys">l</kbd> in the terminal of the
          inspector for a new link.
        </Empty>
      </main>
    )
  }
  return (
    <main className="entrance" aria-busy="true">
      <h1 className="entrance-title">Parley Inspector</h1>
      <div className="row quiet">
        <Loader size={16} />{' '}
        {status === 'lost' ? 'The inspector does not answer. Trying again…' : 'Connecting…'}
      </div>
    </main>
  )
}
