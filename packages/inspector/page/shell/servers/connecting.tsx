import { Button, Loader } from '@mantine/core'
import { useEffect, useState, type ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'
import { openDialog } from '../../view.ts'
import { disconnect } from './server-actions.ts'

/** What the client waits for where Settings name nothing else. */
const usualLimitMs = 30_000

/** A connection that is being made: for how long already, until when, and a way out. */
export function Connecting({ server }: { readonly server: ServerView }): ReactElement {
  const { name, entry, settings, connectingSince } = server
  const seconds = useSeconds(connectingSince)
  const limit = Math.round((settings.connectTimeoutMs ?? usualLimitMs) / 1000)
  return (
    <div className="connecting">
      <Loader size={16} />
      <div className="grow">
        <div>
          <span role="status">
            {'command' in entry ? 'Starting' : 'Connecting to'} {name}
          </span>
          <span className="count" aria-hidden>
            {' '}
            · {seconds} s
          </span>
        </div>
        <div className="hint">
          The attempt ends after {limit} s.{' '}
          <button
            type="button"
            className="link-button"
            onClick={() => openDialog({ kind: 'settings', server: name })}
          >
            “Time limit of connecting” in Settings
          </button>{' '}
          sets that.
        </div>
      </div>
      <Button
        variant="default"
        size="xs"
        data-cancel="connect"
        onClick={() => void disconnect(name)}
      >
        Cancel
      </Button>
    </div>
  )
}

/** Whole seconds since a moment. */
function useSeconds(since: number | undefined): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return since === undefined ? 0 : Math.max(0, Math.round((now - since) / 1000))
}
