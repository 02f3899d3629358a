import { Button, CloseButton } from '@mantine/core'
import type { AttachedResource } from '@parley/host'
import { DiffView } from '@parley/page/content'
import { formatMoment, showProblem, Tag } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { channel } from '../channel.ts'
import { attachToDraft } from '../composer/draft.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** The resources that went to the model in this conversation, and what changed in them since. */
export function Attached(): ReactElement | null {
  const attached = useStore((store) => store.attached)
  if (attached.length === 0) return null
  return (
    <section aria-label="Attached resources">
      <h2 className="right-title">Attached</h2>
      <ul className="left-list">
        {attached.map((item) => (
          <AttachedRow key={`${item.server} ${item.uri}`} resource={item} />
        ))}
      </ul>
    </section>
  )
}

function AttachedRow({ resource }: { readonly resource: AttachedResource }): ReactElement {
  const { server, uri, attachedAt, isFollowed, change } = resource
  return (
    <li className="attached">
      <div className="row">
        <code className="grow wrap">{visible(uri)}</code>
        <CloseButton
          size="sm"
          aria-label={`Do not follow ${visible(uri)}`}
          onClick={() => void forget(server, uri)}
        />
      </div>
      <div className="quiet">
        of {visible(server)}, attached {formatMoment(attachedAt)}
      </div>
      {change === undefined ? (
        <div className="quiet">
          {isFollowed ? 'Followed: no change so far.' : 'Its server does not tell of changes.'}
        </div>
      ) : (
        <ChangedResource resource={resource} />
      )}
    </li>
  )
}

/** What changed, and a way to give the model the new version. */
export function ChangedResource({
  resource,
}: {
  readonly resource: AttachedResource
}): ReactElement | null {
  const { server, uri, change } = resource
  if (change === undefined) return null
  return (
    <div className="stack-tight">
      <div className="row wrap-row">
        <Tag tone="warning" icon="alert">
          {change.problem === undefined
            ? `changed ${formatMoment(change.at)}`
            : 'can no longer be read'}
        </Tag>
        {change.problem === undefined && (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Attach ${visible(uri)} again`}
            onClick={() => attachToDraft({ server, uri, name: uri })}
          >
            Attach again
          </Button>
        )}
      </div>
      {change.problem === undefined ? (
        <details>
          <summary>Show the change</summary>
          <DiffView before={visible(change.before)} after={visible(change.after)} />
        </details>
      ) : (
        <p className="quiet wrap">{visible(change.problem)}</p>
      )}
    </div>
  )
}

async function forget(server: string, uri: string): Promise<void> {
  const conversation = useStore.getState().shown?.id
  if (conversation === undefined) return
  try {
    const attached = await channel.ask('attached/remove', { conversation, server, uri })
    useStore.setState({ attached })
  } catch (error) {
    showProblem(error, 'Still followed')
  }
}
