import { Button } from '@mantine/core'
import { DataTable, Empty } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { SessionView } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { Confirm } from '../parts/confirm.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { formatAge, useNow } from '../parts/server-state.tsx'
import { useStore } from '../store.ts'

const columns = [
  'Who',
  'Program',
  'Revision',
  'Transport',
  'Age',
  'Streams',
  'In flight',
  'Servers',
]

/** The connected clients. */
export function SessionsView(): ReactElement {
  const sessions = useStore((store) => store.overview?.sessions ?? [])
  const count = useStore((store) => store.overview?.sessionCount ?? 0)
  const [closing, setClosing] = useState<SessionView>()
  const now = useNow()
  if (sessions.length === 0) {
    return (
      <Empty icon="plug" title="No sessions">
        Clients of 2025-11-25 and older open one when they connect. Those of 2026-07-28 have none:
        their calls are in the overview and in the traffic.
      </Empty>
    )
  }
  return (
    <div className="view">
      <div className="card">
        <div className="card-head">
          <h2>Sessions</h2>
          <span className="count">
            {count}
            {count > sessions.length && `, the newest ${sessions.length} are shown`}
          </span>
        </div>
        <DataTable label="Sessions" columns={columns} hasActions>
          {sessions.map((session) => (
            <tr key={session.id}>
              <th scope="row">
                <PlainText text={session.caller} most={80} />
              </th>
              <td>
                <PlainText text={session.client} most={80} />
              </td>
              <td className="mono">{session.revision}</td>
              <td>{session.transport === 'http' ? 'HTTP' : 'stdio'}</td>
              <td className="number">{formatAge(now - session.openedAt)}</td>
              <td className="number">{session.streams ?? '–'}</td>
              <td className="number">{session.inFlight ?? '–'}</td>
              <td>{session.upstreams.join(', ') || 'none yet'}</td>
              <td>
                {session.canClose && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Close the session of ${session.caller} (${session.client})`}
                    onClick={() => setClosing(session)}
                  >
                    Close
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </DataTable>
      </div>
      {closing && (
        <Confirm
          title="Close this session"
          word="Close it"
          isDangerous
          onConfirm={() => openChannel().ask('sessions/close', { id: closing.id })}
          onClose={() => setClosing(undefined)}
        >
          Calls of <PlainText text={closing.caller} /> with <PlainText text={closing.client} /> that
          are under way fail. The program may open another session at once; to keep somebody out,
          revoke the key or change the policy.
        </Confirm>
      )}
    </div>
  )
}
