import { Button, CloseButton } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { showProblem } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { Methods } from '../../src/protocol/index.ts'
import { channel } from '../channel.ts'
import { SignIn } from '../left/sign-in.tsx'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** Servers that the model cannot use now: each is told once in a conversation, with what can be done. */
export function FailedServers(): ReactElement | null {
  const servers = useStore((store) => store.servers)
  const canSetUp = useStore((store) => store.canSetUp)
  const shown = useStore((store) => store.shown?.id)
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set())
  const failed = servers.filter(
    ({ name, state }) =>
      (state === 'failed' || state === 'sign-in') && !dismissed.has(`${shown} ${name}`),
  )
  if (failed.length === 0) return null
  return (
    <div className="failed-servers">
      {failed.map(({ name, state, error = '', canSignIn }) => (
        <div key={name} className="notice" data-tone={state === 'failed' ? 'bad' : 'warning'}>
          <Icon name="alert" size={16} />
          <div className="grow">
            <span className="notice-words">
              <strong>{visible(name)}</strong>{' '}
              {state === 'failed' ? 'did not start' : 'wants you to sign in'}
              {error !== '' && <span className="quiet">: {visible(error)}</span>}
            </span>
          </div>
          {state === 'sign-in' && canSignIn && <SignIn server={name} />}
          {state === 'failed' && (
            <Button
              variant="default"
              size="xs"
              aria-label={`Restart ${visible(name)}`}
              onClick={() => run('servers/restart', { name })}
            >
              Restart
            </Button>
          )}
          {state === 'failed' && canSetUp && (
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove ${visible(name)}`}
              onClick={() => run('servers/remove', { name })}
            >
              Remove
            </Button>
          )}
          <CloseButton
            size="sm"
            aria-label={`Hide the notice about ${visible(name)}`}
            onClick={() => setDismissed(new Set([...dismissed, `${shown} ${name}`]))}
          />
        </div>
      ))}
    </div>
  )
}

function run<M extends keyof Methods>(method: M, params: Methods[M]['params']): void {
  channel.ask(method, params).catch((error: unknown) => showProblem(error, 'That did not work'))
}
