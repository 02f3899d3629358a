import { Button, CopyButton } from '@mantine/core'
import { ResourceContents } from '@parley/page/content'
import { Icon } from '@parley/page/icons'
import { listOf, recordOf, textOf } from '@parley/page/json'
import { Empty } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { RunOutcome, ServerView } from '../../src/protocol/index.ts'
import { metaFor } from '../parts/request-meta.tsx'
import { startRun } from '../runs.ts'
import { RunErrorView } from '../tools/run-error.tsx'
import { inTurns } from './in-turns.ts'
import { subscribe, subscriptionKey, unsubscribe, useSubscriptions } from './subscriptions.ts'

/** A server should not be flooded by one press. */
const atOnce = 4
const maxShown = 200

export interface ChosenResourcesProps {
  readonly server: ServerView
  readonly uris: readonly string[]
  readonly onChooseAll: () => void
  readonly onClear: () => void
}

/** Several resources at once: read, copy or follow all of them. */
export function ChosenResources(props: ChosenResourcesProps): ReactElement {
  const { server, uris, onChooseAll, onClear } = props
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, RunOutcome>>(new Map())
  const [isBusy, setIsBusy] = useState(false)
  const subscriptions = useSubscriptions()
  const isFollowed = (uri: string) => subscriptions[subscriptionKey(server.name, uri)] !== undefined
  const areFollowed = uris.length > 0 && uris.every(isFollowed)
  const canSubscribe =
    recordOf(server.session?.server.capabilities['resources'])['subscribe'] === true
  const read = uris.flatMap((uri) => textsIn(outcomes.get(uri)))

  async function forAll(work: (uri: string) => Promise<unknown>) {
    setIsBusy(true)
    await inTurns(uris, atOnce, work)
    setIsBusy(false)
  }

  async function readOne(uri: string) {
    const outcome = await startRun({
      server: server.name,
      method: 'resources/read',
      params: { uri, ...metaFor(server.name) },
      subject: uri,
    })
    setOutcomes((current) => new Map(current).set(uri, outcome))
  }

  return (
    <>
      <div className="column-head wrap-row">
        <h2 className="resource-name grow">
          {uris.length} {uris.length === 1 ? 'resource' : 'resources'} selected
        </h2>
        <Button variant="subtle" size="compact-sm" onClick={onChooseAll}>
          Select all
        </Button>
        <Button variant="subtle" size="compact-sm" disabled={uris.length === 0} onClick={onClear}>
          Clear
        </Button>
      </div>
      {uris.length === 0 ? (
        <Empty icon="file" title="Select resources">
          <kbd className="keys">Space</kbd> selects the row you are on. Then read, copy or follow
          all of them.
        </Empty>
      ) : (
        <div className="column-scroll">
          <div className="row wrap-row">
            <Button
              data-run
              loading={isBusy}
              leftSection={<Icon name="eye" size={14} />}
              onClick={() => void forAll(readOne)}
            >
              Read all
            </Button>
            <CopyAll name="addresses" text={uris.join('\n')} />
            {read.length > 0 && <CopyAll name="texts" text={read.join('\n')} />}
            {canSubscribe && (
              <Button
                variant="default"
                disabled={isBusy}
                leftSection={<Icon name="bell" size={14} />}
                onClick={() =>
                  void forAll((uri) =>
                    areFollowed ? unsubscribe(server.name, uri) : follow(server.name, uri),
                  )
                }
              >
                {areFollowed ? 'Unsubscribe all' : 'Subscribe all'}
              </Button>
            )}
          </div>
          <ol className="plain-list" aria-label="Selected resources">
            {uris.slice(0, maxShown).map((uri) => (
              <li key={uri} className="block">
                <div className="block-head">
                  <code className="mono wrap grow">{uri}</code>
                  {isFollowed(uri) && <Icon name="bell" size={13} />}
                </div>
                <Read outcome={outcomes.get(uri)} />
              </li>
            ))}
          </ol>
          {uris.length > maxShown && (
            <p className="quiet">{uris.length - maxShown} more are selected, and not shown here.</p>
          )}
        </div>
      )}
    </>
  )

  async function follow(name: string, uri: string) {
    if (!isFollowed(uri)) await subscribe(name, uri)
  }
}

function Read({ outcome }: { readonly outcome: RunOutcome | undefined }) {
  if (outcome === undefined) return null
  return (
    <div className="block-body">
      {outcome.error && <RunErrorView error={outcome.error} />}
      {listOf(outcome.result?.['contents']).map((part, index) => (
        // Parts may share an address; their place tells them apart.
        <ResourceContents key={index} contents={recordOf(part)} />
      ))}
    </div>
  )
}

function CopyAll({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          onClick={copy}
        >
          {copied ? 'Copied' : `Copy ${name}`}
        </Button>
      )}
    </CopyButton>
  )
}

function textsIn(outcome: RunOutcome | undefined): readonly string[] {
  return listOf(outcome?.result?.['contents']).flatMap(
    (part) => textOf(recordOf(part)['text']) ?? [],
  )
}
