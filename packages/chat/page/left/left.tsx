import type { ReactElement } from 'react'

import { Conversations } from './conversations.tsx'
import { Servers } from './servers.tsx'

/** What was said before, and who may be called. */
export function Left(): ReactElement {
  return (
    <nav className="chat-left" aria-label="Conversations and servers">
      <Conversations />
      <Servers />
    </nav>
  )
}
