import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Boundary, createLoadable, Loaded } from '@parley/page/parts'
import { ColourMenu, ServiceBanner } from '@parley/page/shell'
import { useEffect, useState, type ReactElement } from 'react'

import { Composer } from './composer/composer.tsx'
import { Left } from './left/left.tsx'
import { Right } from './right/right.tsx'
import { useStore } from './store.ts'
import { Thread } from './thread/thread.tsx'
import { toggleTrace, useTraceOpen } from './trace/trace-open.ts'
import { visible } from './visible.ts'
import { Welcome } from './welcome/welcome.tsx'

const trace = createLoadable(async () => (await import('./trace/trace-drawer.tsx')).TraceDrawer)

/** What lies over the thread where there is no room beside it. */
type Over = 'left' | 'right' | undefined

/** Conversations and servers, the thread, and what it takes. */
export function Shell(): ReactElement {
  const status = useStore((store) => store.status)
  const shown = useStore((store) => store.shown)
  const isFirstRun = useStore((store) => store.isFirstRun)
  const isTraceOpen = useTraceOpen((state) => state.isOpen)
  const [over, setOver] = useState<Over>()
  const [hasRight, setHasRight] = useState(() => innerWidth >= 1200)
  const title = visible(shown?.title ?? '') || 'New conversation'

  useEffect(() => setOver(undefined), [shown?.id])
  useEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setOver(undefined)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])

  return (
    <div className="chat" data-over={over} data-right={hasRight && !isFirstRun}>
      <Left />
      <main className="chat-main">
        <header className="chat-head">
          <Tooltip label="Conversations and servers">
            <ActionIcon
              className="chat-narrow"
              aria-label="Conversations and servers"
              aria-expanded={over === 'left'}
              onClick={() => setOver(over === 'left' ? undefined : 'left')}
            >
              <Icon name="menu" size={17} />
            </ActionIcon>
          </Tooltip>
          <h1 className="cut grow">{isFirstRun ? 'Welcome' : title}</h1>
          <ColourMenu />
          <Tooltip label="Messages of servers">
            <ActionIcon
              aria-label="Messages of servers"
              aria-expanded={isTraceOpen}
              onClick={toggleTrace}
            >
              <Icon name="wave" size={17} />
            </ActionIcon>
          </Tooltip>
          {!isFirstRun && (
            <Tooltip label="Context and activity">
              <ActionIcon
                aria-label="Context and activity"
                aria-expanded={hasRight || over === 'right'}
                onClick={() => {
                  if (innerWidth >= 1000) setHasRight(!hasRight)
                  else setOver(over === 'right' ? undefined : 'right')
                }}
              >
                <Icon name="gauge" size={17} />
              </ActionIcon>
            </Tooltip>
          )}
        </header>
        <ServiceBanner status={status}>
          Press <kbd className="keys">l</kbd> in the terminal for a new link after a restart.
        </ServiceBanner>
        {isFirstRun ? (
          <Welcome />
        ) : (
          <>
            <Boundary name="The conversation">
              <Thread />
            </Boundary>
            <Composer />
          </>
        )}
        {isTraceOpen && (
          <Loaded part={trace} name="The trace">
            {(TraceDrawer) => <TraceDrawer />}
          </Loaded>
        )}
      </main>
      {!isFirstRun && <Right />}
    </div>
  )
}
