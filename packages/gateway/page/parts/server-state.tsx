import type { IconName } from '@parley/page/icons'
import { Tag, type Tone } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { ServerView } from '../../src/page-service/protocol.ts'
import { PlainText } from './plain-text.tsx'

type State = ServerView['state']

const looks: {
  readonly [Word in State['state']]: { readonly tone: Tone; readonly icon: IconName }
} = {
  starting: { tone: 'info', icon: 'clock' },
  ready: { tone: 'good', icon: 'check' },
  degraded: { tone: 'warning', icon: 'alert' },
  'backing-off': { tone: 'warning', icon: 'clock' },
  failed: { tone: 'bad', icon: 'alert' },
  disabled: { tone: 'plain', icon: 'stop' },
}

const words: { readonly [Word in State['state']]: string } = {
  starting: 'starting',
  ready: 'ready',
  degraded: 'connection lost',
  'backing-off': 'trying again',
  failed: 'failed',
  disabled: 'stopped',
}

/** How a server is, by icon and word. */
export function StateTag({ state }: { readonly state: State }): ReactElement {
  const { tone, icon } = looks[state.state]
  return (
    <Tag tone={tone} icon={icon}>
      {words[state.state]}
    </Tag>
  )
}

/** Why it is so, and when it is tried again. */
export function StateReason({ state }: { readonly state: State }): ReactElement | null {
  const now = useNow()
  if (!('cause' in state)) return null
  return (
    <div className="state-reason wrap">
      <PlainText text={state.cause} />
      {'nextAt' in state && (
        <span className="quiet">
          {' '}
          Attempt {state.attempt}; next {inWords(state.nextAt - now)}.
        </span>
      )}
    </div>
  )
}

function inWords(ms: number): string {
  return ms <= 0 ? 'now' : `in ${Math.ceil(ms / 1_000)} s`
}

/** The time, once a second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** How long ago, in the largest unit that says something. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 86_400)
    return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`
}
