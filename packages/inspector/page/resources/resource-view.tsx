import { Button, Loader, SegmentedControl } from '@mantine/core'
import { DiffView, ResourceContents } from '@parley/page/content'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { listOf, recordOf, textOf } from '@parley/page/json'
import { CopyText, formatBytes, formatMs, formatTime, RichText, Tag } from '@parley/page/parts'
import { LoadPeerIcon, PeerIcon } from '@parley/page/peer-icons'
import { useCallback, useEffect, useRef, useState, type ReactElement } from 'react'

import type { RunOutcome, ServerView } from '../../src/protocol/index.ts'
import { AppView } from '../apps/app-view.tsx'
import { openChannel } from '../channel.ts'
import { isConnected } from '../lists.ts'
import { metaFor, RequestMeta } from '../parts/request-meta.tsx'
import { RunQuestions } from '../requests/run-questions.tsx'
import { startRun, useRuns } from '../runs.ts'
import { RunErrorView } from '../tools/run-error.tsx'
import type { ResourceItem } from './resource-item.ts'
import { subscribe, subscriptionKey, unsubscribe, useSubscriptions } from './subscriptions.ts'

/** Long enough to run past rows with the arrows without reading each. */
const readDelayMs = 200
/** Bigger ones are read when asked for. */
const readLimit = 5_000_000

export interface ResourceViewProps {
  readonly server: ServerView
  readonly uri: string
  readonly item?: ResourceItem | undefined
}

/** A resource: what it holds, and how that changes while it is watched. */
export function ResourceView({ server, uri, item }: ResourceViewProps): ReactElement {
  const [mode, setMode] = useState<'contents' | 'app' | 'changes' | 'raw'>('contents')
  const [outcome, setOutcome] = useState<RunOutcome>()
  const [before, setBefore] = useState<string>()
  const [isReading, setIsReading] = useState(false)
  const newest = useRef<RunOutcome>(undefined)
  const subscription = useSubscriptions((all) => all[subscriptionKey(server.name, uri)])
  const canSubscribe =
    recordOf(server.session?.server.capabilities['resources'])['subscribe'] === true

  const read = useCallback(async () => {
    setIsReading(true)
    const next = await startRun({
      server: server.name,
      method: 'resources/read',
      params: { uri, ...metaFor(server.name) },
      subject: uri,
    })
    const old = newest.current && textIn(newest.current)
    const now = textIn(next)
    if (old !== undefined && now !== undefined && old !== now) setBefore(old)
    newest.current = next
    setOutcome(next)
    setIsReading(false)
  }, [server.name, uri])

  const isBig = (item?.size ?? 0) > readLimit
  useEffect(() => {
    if (isBig) return undefined
    const timer = setTimeout(() => void read(), readDelayMs)
    return () => clearTimeout(timer)
  }, [read, isBig])

  useEffect(
    () =>
      openChannel().on('resources/updated', (updated) => {
        if (updated.server === server.name && updated.uri === uri) void read()
      }),
    [read, server.name, uri],
  )

  const run = useRuns(({ runs }) =>
    runs.find((candidate) => candidate.method === 'resources/read' && candidate.subject === uri),
  )
  const contents = listOf(outcome?.result?.['contents'])
  const now = outcome && textIn(outcome)
  const isApp = uri.startsWith('ui://')
  return (
    <>
      <div className="column-head">
        <PeerIcon server={server.name} icons={item?.icons} size={20} />
        <div className="grow">
          <h2 className="resource-name cut">{item?.name ?? uri}</h2>
        </div>
        {isReading && <Loader size={14} role="status" aria-label="Reading" />}
        <CopyText text={uri} label="Copy the address" />
        <Button
          data-run
          disabled={!isConnected(server)}
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="refresh" size={14} />}
          onClick={() => void read()}
        >
          Read
        </Button>
        {canSubscribe && (
          <Button
            variant={subscription ? 'light' : 'default'}
            size="compact-sm"
            aria-pressed={subscription !== undefined}
            disabled={!isConnected(server)}
            leftSection={<Icon name="bell" size={14} />}
            onClick={() =>
              void (subscription ? unsubscribe(server.name, uri) : subscribe(server.name, uri))
            }
          >
            {subscription ? 'Unsubscribe' : 'Subscribe'}
          </Button>
        )}
      </div>
      <div className="column-scroll">
        <div className="row wrap-row">
          <code className="mono wrap">{uri}</code>
          {item?.mimeType !== undefined && <Tag>{item.mimeType}</Tag>}
          {item?.size !== undefined && <Tag>{formatBytes(item.size)}</Tag>}
          {item?.remarks.map((remark) => (
            <Tag key={remark}>{remark}</Tag>
          ))}
          <LoadPeerIcon server={server.name} icons={item?.icons} />
        </div>
        {item?.description !== undefined && (
          <RichText text={item.description} limit={600} className="prose" />
        )}
        <div className="row wrap-row">
          <SegmentedControl
            aria-label="How to show the resource"
            value={mode}
            onChange={setMode}
            data={[
              { value: 'contents', label: 'Contents' },
              ...(isApp ? [{ value: 'app' as const, label: 'App' }] : []),
              { value: 'changes', label: 'Changes', disabled: before === undefined },
              { value: 'raw', label: 'Raw' },
            ]}
          />
          {outcome && <span className="quiet">read in {formatMs(outcome.durationMs)}</span>}
          {subscription && (
            <Tag tone="accent" icon="bell">
              {subscription.updates === 0
                ? 'watching'
                : `${subscription.updates} updates, last ${formatTime(subscription.lastAt ?? 0)}`}
            </Tag>
          )}
        </div>
        {run && <RunQuestions run={run} />}
        <RequestMeta server={server.name} />
        {isBig && outcome === undefined && (
          <p className="quiet">It is large, so it is read only on request.</p>
        )}
        {outcome?.error && <RunErrorView error={outcome.error} />}
        {mode === 'app' && <AppView server={server} uri={uri} />}
        {mode === 'contents' &&
          contents.map((part, index) => (
            // Parts may share an address; their place tells them apart.
            <div key={index} className="block">
              <div className="block-body">
                <ResourceContents contents={recordOf(part)} />
              </div>
            </div>
          ))}
        {mode === 'changes' && before !== undefined && now !== undefined && (
          <DiffView before={before} after={now} />
        )}
        {mode === 'raw' && outcome?.result && (
          <JsonTree value={outcome.result} label="Result as it came" />
        )}
      </div>
    </>
  )
}

/** The text of all parts; undefined where there is none to compare. */
function textIn({ result }: RunOutcome): string | undefined {
  const texts = listOf(result?.['contents']).flatMap((part) => textOf(recordOf(part)['text']) ?? [])
  return texts.length === 0 ? undefined : texts.join('\n')
}
