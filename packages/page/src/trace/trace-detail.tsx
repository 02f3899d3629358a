import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import type { TraceRecord } from '@parley/foundation/trace'
import { isJsonObject } from '@parley/mcp/json'
import { useEffect, useState, type ReactElement } from 'react'

import { JsonTree } from '../form/code/json-tree.tsx'
import { Icon } from '../icons.tsx'
import { recordOf } from '../json.ts'
import { formatBytes, formatMs, formatTime } from '../parts/duration.ts'
import { Tag, type Tone } from '../parts/tag.tsx'
import { CappedText } from '../parts/text/capped-text.tsx'
import { CopyMenu } from './copy-menu.tsx'
import { canReplay, liveSeq, replayRow } from './replay.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { pathOfRow } from './rows/row-path.ts'
import { durationOf, isFailure, statusOf, type Row, type RowStatus } from './rows/rows.ts'
import { useTraceSetting } from './trace-setting.ts'
import { selectRow, togglePin, useTrace } from './trace-state.ts'
import { Validation } from './validation.tsx'
import { TimeBar, TimeView } from './waterfall/time-view.tsx'

type Part = 'request' | 'answer' | 'time' | 'meta' | 'check'

/** The content of one row: both halves, what carried them, and whether they are as they should be. */
export function TraceDetail({ row }: { readonly row: Row }): ReactElement {
  const { pins, source } = useTrace()
  const { actions = {} } = useTraceSetting()
  const isOff = actions.isResendOff === true
  const [part, setPart] = useState<Part>('request')
  const [isEditing, setIsEditing] = useState(false)
  const request = useRecord(row.entry.seq)
  const answer = useRecord(row.answer?.seq)
  const { entry } = row
  const ms = durationOf(row)
  const status = statusOf(row)
  const shown: Part = part === 'answer' && !row.answer ? 'request' : part
  const path = pathOfRow(source.table, row)
  const hasPath = path !== undefined && path.segments.length > 0
  return (
    <section className="trace-detail" aria-label="Content of the row">
      <header className="trace-detail-head">
        <strong className="cut">{entry.label}</strong>
        {status !== 'plain' && status !== 'ok' && <Tag tone={toneOf(status)}>{status}</Tag>}
        {ms !== undefined && (
          <span className="count">
            {formatMs(ms)}
            {path && path.durationMs > ms + 0.5 && ` of ${formatMs(path.durationMs)}`}
          </span>
        )}
        <span className="grow">{hasPath && <TimeBar path={path} />}</span>
        <Tooltip label={pins.has(entry.seq) ? 'Unpin' : 'Pin'}>
          <ActionIcon
            size={26}
            aria-label="Pin"
            aria-pressed={pins.has(entry.seq)}
            variant={pins.has(entry.seq) ? 'light' : 'subtle'}
            onClick={() => togglePin(entry.seq)}
          >
            <Icon name="pin" size={14} />
          </ActionIcon>
        </Tooltip>
        <ActionIcon size={26} aria-label="Close the content" onClick={() => selectRow(undefined)}>
          <Icon name="cross" size={14} />
        </ActionIcon>
      </header>
      <div className="trace-detail-tools">
        <SegmentedControl
          aria-label="Part of the row"
          value={shown}
          onChange={(next) => setPart(next)}
          data={[
            { value: 'request', label: entry.role === 'request' ? 'Request' : 'Message' },
            ...(row.answer ? [{ value: 'answer' as const, label: 'Answer' }] : []),
            ...(hasPath ? [{ value: 'time' as const, label: 'Time' }] : []),
            { value: 'meta', label: 'Carried by' },
            { value: 'check', label: 'Validation' },
          ]}
        />
        <span className="grow" />
        {actions.resend && canReplay(row) && (
          <>
            <Tooltip label="Send it once more ( . )">
              <Button
                size="compact-xs"
                variant="default"
                disabled={isOff}
                leftSection={<Icon name="repeat" size={12} />}
                onClick={() => void replayRow(row, actions)}
              >
                Replay
              </Button>
            </Tooltip>
            <Button
              size="compact-xs"
              variant="default"
              disabled={isOff}
              onClick={() => setIsEditing(true)}
            >
              Edit and resend
            </Button>
          </>
        )}
        <CopyMenu row={row} />
      </div>
      <div className="trace-detail-body">
        {shown === 'request' && <Content record={request} />}
        {shown === 'answer' && <Content record={answer} />}
        {shown === 'time' && hasPath && <TimeView path={path} />}
        {shown === 'meta' && <Meta request={request} answer={answer} />}
        {shown === 'check' && <Validation row={row} request={request} answer={answer} />}
      </div>
      {isEditing && isJsonObject(request?.message) && (
        <ResendDialog
          server={entry.server}
          message={request.message}
          seq={liveSeq(entry.seq)}
          onClose={() => setIsEditing(false)}
        />
      )}
    </section>
  )
}

function toneOf(status: RowStatus): Tone {
  if (isFailure(status)) return 'bad'
  return status === 'pending' ? 'warning' : 'plain'
}

function Content({ record }: { readonly record: TraceRecord | null | undefined }): ReactElement {
  if (record === undefined) return <span className="quiet">Fetching…</span>
  if (record === null) return <span className="quiet">This record is no longer stored.</span>
  return (
    <>
      {record.message !== undefined && <JsonTree value={record.message} label="Message" />}
      {record.text !== undefined && <CappedText text={record.text} />}
      {record.message === undefined && record.text === undefined && (
        <JsonTree value={record.details ?? {}} label="Details" />
      )}
    </>
  )
}

function Meta(props: {
  readonly request: TraceRecord | null | undefined
  readonly answer: TraceRecord | null | undefined
}): ReactElement {
  const records = [props.request, props.answer].filter(
    (record) => record !== undefined && record !== null,
  )
  return (
    <>
      {records.map((record) => {
        const { headers, ...details } = recordOf(record.details)
        return (
          <div key={record.seq} className="trace-meta">
            <dl>
              <dt>number</dt>
              <dd>{record.seq}</dd>
              <dt>time</dt>
              <dd>{formatTime(record.at)}</dd>
              <dt>direction</dt>
              <dd>{record.direction === 'in' ? 'from the server' : 'to the server'}</dd>
              {record.revision !== undefined && (
                <>
                  <dt>revision</dt>
                  <dd>{record.revision}</dd>
                </>
              )}
              {record.bytes !== undefined && (
                <>
                  <dt>size</dt>
                  <dd>{formatBytes(record.bytes)}</dd>
                </>
              )}
              {record.stream !== undefined && (
                <>
                  <dt>carried by</dt>
                  <dd>{record.stream}</dd>
                </>
              )}
            </dl>
            {headers !== undefined && <JsonTree value={headers} label="Headers" />}
            {Object.keys(details).length > 0 && <JsonTree value={details} label="Details" />}
          </div>
        )
      })}
    </>
  )
}

/** The whole record; undefined while it is fetched, null when nobody keeps it any more. */
function useRecord(seq: number | undefined): TraceRecord | null | undefined {
  const source = useTrace((state) => state.source)
  const [record, setRecord] = useState<TraceRecord | null>()
  useEffect(() => {
    let isCurrent = true
    setRecord(undefined)
    if (seq !== undefined) {
      source
        .record(seq)
        .then((found) => isCurrent && setRecord(found ?? null))
        .catch(() => isCurrent && setRecord(null)) // the connection is gone; the list says so
    }
    return () => {
      isCurrent = false
    }
  }, [source, seq])
  return record?.seq === seq || record === null ? record : undefined
}
