import { Button } from '@mantine/core'
import { JsonTree } from '@parley/page/form'
import { Empty, formatMoment, Note, Tag } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { WaitingView } from '../../src/page-service/protocol.ts'
import { openChannel } from '../channel.ts'
import { Answer, useAsked } from '../parts/asked.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Differences } from '../parts/differences.tsx'
import { PlainText } from '../parts/plain-text.tsx'
import { useStore } from '../store.ts'

/** Definitions that are new or not what was approved. */
export function QuarantineView(): ReactElement {
  const hasPinning = useStore((store) => store.state?.has.pinning ?? false)
  if (!hasPinning) {
    return (
      <Empty icon="lock" title="This gateway pins no tools">
        A server can change what a tool says of itself after you have come to trust it. Add{' '}
        <code>pinning: warn</code> or <code>pinning: enforce</code> to the file.
      </Empty>
    )
  }
  return <Waiting />
}

function Waiting(): ReactElement {
  const asked = useAsked(() => openChannel().ask('quarantine/list', {}), [])
  const retry = asked.state === 'loading' ? undefined : asked.retry
  useEffect(() => openChannel().on('quarantine/changed', () => retry?.()), [retry])
  return (
    <div className="view">
      <Answer asked={asked} name="The quarantine">
        {(waiting) =>
          waiting.length === 0 ? (
            <Empty icon="check" title="Nothing waits">
              Every definition is as it was approved.
            </Empty>
          ) : (
            <>
              {waiting.map((each) => (
                <Definition key={each.id} waiting={each} onResolved={() => retry?.()} />
              ))}
            </>
          )
        }
      </Answer>
    </div>
  )
}

function Definition(props: {
  readonly waiting: WaitingView
  readonly onResolved: () => void
}): ReactElement {
  const { waiting, onResolved } = props
  const { id, kind, upstream, name, reason, since, isRejected, differences, warnings, after } =
    waiting
  const [asking, setAsking] = useState<'approve' | 'reject'>()
  return (
    <article className="card" aria-label={`${kind} ${name} of ${upstream}`}>
      <div className="card-head wrap-row">
        <h2 className="cut">
          <PlainText text={name} most={120} />
        </h2>
        <Tag>{kind}</Tag>
        <Tag>{upstream}</Tag>
        <Tag tone={reason === 'changed' ? 'warning' : 'info'}>{reason}</Tag>
        {isRejected && <Tag tone="bad">rejected</Tag>}
        <span className="quiet">since {formatMoment(Date.parse(since))}</span>
        <span className="grow" />
        <div className="row">
          {!isRejected && (
            <Button size="compact-sm" variant="default" onClick={() => setAsking('reject')}>
              Reject
            </Button>
          )}
          <Button size="compact-sm" onClick={() => setAsking('approve')}>
            Approve
          </Button>
        </div>
      </div>
      <div className="pad stack">
        {warnings.length > 0 && (
          <Note tone="bad" title="Look twice">
            {warnings.join(' ')}
          </Note>
        )}
        {reason === 'changed' && differences.length > 0 && (
          <Differences differences={differences} />
        )}
        {reason === 'changed' && differences.length === 0 && (
          <p className="quiet">The definitions are too large to be compared here.</p>
        )}
        {reason === 'new' && typeof after?.['description'] === 'string' && (
          <p className="wrap">
            <PlainText text={after['description']} most={8_000} />
          </p>
        )}
        {after && (
          <details>
            <summary>The whole definition</summary>
            <JsonTree value={after} label={`Definition of ${name}`} />
          </details>
        )}
      </div>
      {asking && (
        <Confirm
          title={asking === 'approve' ? `Approve ${name}` : `Reject ${name}`}
          word={asking === 'approve' ? 'Approve' : 'Reject'}
          isDangerous={asking === 'reject'}
          onConfirm={async () => {
            await openChannel().ask(`quarantine/${asking}`, { id })
            onResolved()
          }}
          onClose={() => setAsking(undefined)}
        >
          {asking === 'approve'
            ? 'From now on this definition is the right one, and clients are told that their lists have changed. If the server changes it again, that waits too.'
            : 'It is hidden from everybody, whatever it becomes, unless it is again what was approved.'}
        </Confirm>
      )}
    </article>
  )
}
