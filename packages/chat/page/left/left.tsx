import type { ReactElement } from 'react'

import { Conversations } from './conversations.tsx'
import { Servers } from './servers.tsx'

/** The rail: new chat, search, chats by day, servers. */
export function Left(): ReactElement {
  return (
    <nav className="rail chat-rail" aria-label="Chats and servers">
      <Conversations />
      <Servers />
    </nav>
  )
}
