import { Button } from '@mantine/core'
import { CappedText, DataTable, formatBytes, showHidden } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { ServerView } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { Answer, useAsked } from '../parts/asked.tsx'
import { formatAge, useNow } from '../parts/server-state.tsx'

/** The processes of a server. */
export function Children({ server }: { readonly server: ServerView }): ReactElement {
  const { name, children, started } = server
  const [shown, setShown] = useState<number>()
  const now = useNow()
  const isThere = children.some(({ pid }) => pid === shown)
  return (
    <section className="card" aria-label="Processes">
      <div className="card-head">
        <h3>Processes</h3>
        <span className="count">
          {children.length} now, {started} started so far
        </span>
      </div>
      {children.length === 0 ? (
        <p className="quiet pad">None runs. One is started when a client needs it.</p>
      ) : (
        <DataTable
          label="Processes of the server"
          columns={['Process', 'Up for', 'Memory', 'Standard error']}
        >
          {children.map(({ pid, startedAt, memoryBytes }) => (
            <tr key={pid}>
              <th scope="row" className="mono">
                {pid}
              </th>
              <td className="number">{formatAge(now - startedAt)}</td>
              <td className="number">
                {memoryBytes === undefined ? 'unknown' : formatBytes(memoryBytes)}
              </td>
              <td>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-expanded={shown === pid}
                  onClick={() => setShown(shown === pid ? undefined : pid)}
                >
                  {shown === pid ? 'Hide' : 'Show'}
                </Button>
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {shown !== undefined && isThere && <StandardError name={name} pid={shown} />}
    </section>
  )
}

function StandardError({
  name,
  pid,
}: {
  readonly name: string
  readonly pid: number
}): ReactElement {
  const asked = useAsked(() => openChannel().ask('children/stderr', { name, pid }), [name, pid])
  return (
    <div className="pad">
      <Answer asked={asked} name="Its standard error">
        {({ text }) =>
          text === '' ? (
            <p className="quiet">It has written nothing.</p>
          ) : (
            <CappedText text={showHidden(text.slice(-20_000))} limit={20_000} />
          )
        }
      </Answer>
    </div>
  )
}
