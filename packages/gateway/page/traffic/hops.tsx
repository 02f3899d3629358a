import { Button } from '@mantine/core'
import type { TraceRecord } from '@parley/foundation/trace'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { formatMs } from '@parley/page/parts'
import { useTrace, type Row } from '@parley/page/trace'
import { useEffect, useState, type ReactElement } from 'react'

/** The request of a client beside what went to the server, and both answers: what the gateway made of it. */
export function Hops(): ReactElement | null {
  const { source, selected } = useTrace()
  const [isShown, setIsShown] = useState(true)
  const picked = selected === undefined ? undefined : source.table.find(selected)
  const client = picked?.parent ?? picked
  const server = client?.children.find(({ entry }) => entry.role === 'request')
  if (client === undefined || client.entry.role !== 'request') return null
  return (
    <section className="hops card" aria-label="Both hops">
      <div className="card-head">
        <h2>
          {client.entry.server} → {server ? server.entry.server : 'no server'}
        </h2>
        <span className="grow" />
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={isShown}
          leftSection={<Icon name={isShown ? 'chevronDown' : 'chevronUp'} size={13} />}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </Button>
      </div>
      {isShown && (
        <div className="hop-columns">
          <Hop title="From the client" row={client} />
          {server ? (
            <Hop title={`To ${server.entry.server}`} row={server} />
          ) : (
            <p className="quiet pad">
              Nothing went to a server: the gateway answered by itself, or refused.
            </p>
          )}
        </div>
      )}
    </section>
  )
}

function Hop({ title, row }: { readonly title: string; readonly row: Row }): ReactElement {
  const request = useRecord(row.entry.seq)
  const answer = useRecord(row.answer?.seq)
  const took = row.answer ? row.answer.time - row.entry.time : undefined
  return (
    <div className="hop">
      <h3>
        {title} {took !== undefined && <span className="count">{formatMs(took)}</span>}
      </h3>
      {request && <JsonTree value={request.message ?? {}} label={`${title}: request`} />}
      {answer ? (
        <JsonTree value={answer.message ?? {}} label={`${title}: answer`} />
      ) : (
        <p className="quiet">No answer yet.</p>
      )}
    </div>
  )
}

function useRecord(seq: number | undefined): TraceRecord | undefined {
  const source = useTrace((state) => state.source)
  const [record, setRecord] = useState<TraceRecord>()
  useEffect(() => {
    let isCurrent = true
    setRecord(undefined)
    if (seq !== undefined) {
      source
        .record(seq)
        .then((found) => isCurrent && setRecord(found))
        .catch(() => undefined) // the list says that the connection is gone
    }
    return () => {
      isCurrent = false
    }
  }, [source, seq])
  return record
}
