import { Icon, type IconName } from '@parley/page/icons'
import type { Tone } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'

/** How each state looks and what it is called. */
export const stateLooks: Readonly<
  Record<
    ServerView['state'],
    { readonly word: string; readonly icon: IconName; readonly tone: Tone }
  >
> = {
  off: { word: 'Off', icon: 'circle', tone: 'plain' },
  blocked: { word: 'Needs your consent', icon: 'lock', tone: 'warning' },
  connecting: { word: 'Connecting', icon: 'refresh', tone: 'info' },
  ready: { word: 'Ready', icon: 'check', tone: 'good' },
  degraded: { word: 'Partly lost', icon: 'half', tone: 'warning' },
  reconnecting: { word: 'Reconnecting', icon: 'refresh', tone: 'warning' },
  closed: { word: 'Closed', icon: 'circle', tone: 'plain' },
  unauthorized: { word: 'Sign-in needed', icon: 'key', tone: 'warning' },
  failed: { word: 'Failed', icon: 'alert', tone: 'bad' },
  ended: { word: 'Ended', icon: 'alert', tone: 'bad' },
}

/** A server's state by icon and word. */
export function ServerState({ state }: { readonly state: ServerView['state'] }): ReactElement {
  const { word, icon, tone } = stateLooks[state]
  const isMoving = state === 'connecting' || state === 'reconnecting'
  return (
    <span className="server-state" data-tone={tone}>
      <Icon name={icon} size={13} {...(isMoving && { className: 'spin' })} />
      {word}
    </span>
  )
}
