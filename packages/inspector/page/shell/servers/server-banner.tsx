import { Button, Group } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Note } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { ServerView } from '../../../src/protocol/index.ts'
import { isConnected, isKnown } from '../../lists.ts'
import { showTab } from '../../view.ts'
import { Connecting } from './connecting.tsx'
import { DiagnoseButton } from './diagnosis.tsx'
import { restart } from './server-actions.ts'

/** Above a panel whose server has gone: what was there stays in view, and this says that it is over. */
export function ServerBanner({ server }: { readonly server: ServerView }): ReactElement | null {
  const { name, state, session, problem, ended } = server
  if (session === undefined || isConnected(server) || !isKnown(server)) return null
  if (state === 'connecting') {
    return (
      <div className="server-banner">
        <Connecting server={server} />
      </div>
    )
  }
  return (
    <div className="server-banner">
      <Note
        tone="bad"
        isUrgent
        title={ended === undefined ? `${name} could not be reached again` : `${name} ${ended}`}
        action={
          <Group gap={8}>
            <Button
              size="xs"
              leftSection={<Icon name="refresh" size={14} />}
              onClick={() => void restart(name)}
            >
              Restart
            </Button>
            <DiagnoseButton server={server} />
            <Button size="xs" variant="default" onClick={() => showTab('logs')}>
              Logs
            </Button>
          </Group>
        }
      >
        {ended === undefined && <div className="wrap">{problem?.message}</div>}
        {problem?.hint !== undefined && <div className="wrap">{problem.hint}</div>}
      </Note>
    </div>
  )
}
