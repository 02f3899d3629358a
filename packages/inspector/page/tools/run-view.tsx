import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import type { JsonObject } from '@parley/mcp'
import { ContentBlock, StructuredView } from '@parley/page/content'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { listOf, recordOf, textOf } from '@parley/page/json'
import { formatMs, Note, Tag } from '@parley/page/parts'
import { selectRow } from '@parley/page/trace'
import { useState, type ReactElement } from 'react'

import type { RunOutcome, ServerView } from '../../src/protocol/index.ts'
import { AppView } from '../apps/app-view.tsx'
import { RunQuestions } from '../requests/run-questions.tsx'
import { resourceActions } from '../resources/resource-actions.ts'
import type { Run } from '../runs.ts'
import { setTraceOpen, showTab } from '../view.ts'
import { RunErrorView } from './run-error.tsx'
import { RunProgressView } from './run-progress.tsx'
import type { ToolItem } from './tool-item.ts'

export interface RunViewProps {
  readonly run: Run
  readonly server: ServerView
  /** The tool that was called, if its app is to be shown. */
  readonly tool?: ToolItem | undefined
}

/** A run as it stands: its progress, its outcome, and what came too late. */
export function RunView({ run, server, tool }: RunViewProps): ReactElement {
  const { outcome, late } = run
  return (
    <>
      {outcome === undefined && <RunProgressView run={run} />}
      {outcome === undefined && <RunQuestions run={run} />}
      {outcome && <OutcomeView outcome={outcome} server={server} app={appOf(tool, run)} />}
      {late && (
        <>
          <Note tone="warning" title="This answer arrived after the call was cancelled">
            The server had been told to stop {formatMs(late.durationMs)} into the call, but answered
            anyway.
          </Note>
          <OutcomeView outcome={late} server={server} />
        </>
      )}
    </>
  )
}

export interface OutcomeViewProps {
  readonly outcome: RunOutcome
  readonly server: ServerView
  readonly app?: ShownApp | undefined
}

/** The app of a tool, and the call it is shown for. */
export interface ShownApp {
  readonly uri: string
  readonly run: string
  readonly tool: JsonObject
  readonly input: JsonObject
}

/** How a call ended: rendered, structured, or as it came over the wire. */
export function OutcomeView({ outcome, server, app }: OutcomeViewProps): ReactElement {
  const { result, error, outputIssues = [], durationMs, seq } = outcome
  const structured = result?.['structuredContent']
  const content = listOf(result?.['content'])
  const taskId = textOf(recordOf(result?.['task'])['taskId'])
  const processName = textOf(recordOf(result?.['_meta'])['dev.parley/process'])
  const isToolError = result?.['isError'] === true
  const otherwise = content.length === 0 && structured !== undefined ? 'structured' : 'rendered'
  const [mode, setMode] = useState<'app' | 'rendered' | 'structured' | 'raw'>(
    app !== undefined && !isToolError ? 'app' : otherwise,
  )
  return (
    <>
      <div className="row outcome-head">
        {error || isToolError ? (
          <Tag tone="bad" icon="alert">
            {error ? 'Failed' : 'The tool reports an error'}
          </Tag>
        ) : (
          <span className="quiet">Answered</span>
        )}
        {outcome.late === true && (
          <Tag tone="warning" icon="clock">
            Late
          </Tag>
        )}
        <span className="quiet">
          {error || isToolError ? 'after' : 'in'} {formatMs(durationMs)}
          {processName !== undefined && ` by process ${processName}`}
        </span>
        {seq !== undefined && (
          <Tooltip label="Show in the trace">
            <ActionIcon aria-label="Show in the trace" onClick={() => showInTrace(seq)}>
              <Icon name="wave" size={15} />
            </ActionIcon>
          </Tooltip>
        )}
        <span className="grow" />
        {result && (
          <SegmentedControl
            aria-label="How to show the result"
            value={mode}
            onChange={setMode}
            data={[
              ...(app === undefined ? [] : [{ value: 'app' as const, label: 'App' }]),
              { value: 'rendered', label: 'Rendered' },
              ...(structured === undefined
                ? []
                : [{ value: 'structured' as const, label: 'Structured' }]),
              { value: 'raw', label: 'Raw' },
            ]}
          />
        )}
      </div>
      {error && <RunErrorView error={error} />}
      {outputIssues.length > 0 && (
        <Note tone="bad" title="The structured content does not match the tool's output schema">
          <ul className="issues">
            {outputIssues.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code className="code-inline">{path === '' ? '(the whole)' : path}</code> {message}
              </li>
            ))}
          </ul>
        </Note>
      )}
      {result && mode === 'app' && app && (
        <AppView
          key={app.run}
          server={server}
          uri={app.uri}
          call={{ tool: app.tool, input: app.input, result: result as JsonObject }} // came as JSON
        />
      )}
      {result && mode === 'rendered' && (
        <>
          {content.map((block, index) => (
            // Blocks have no identity but their place.
            <ContentBlock key={index} block={block} resources={resourceActions(server)} />
          ))}
          {taskId !== undefined && (
            <Note
              tone="info"
              title="It runs as a task"
              action={
                <Button variant="default" size="xs" onClick={() => showTab('tasks')}>
                  Follow it
                </Button>
              }
            >
              <code className="mono wrap">{taskId}</code>
            </Note>
          )}
          {content.length === 0 && structured === undefined && taskId === undefined && (
            <p className="quiet">The answer has no content.</p>
          )}
          {content.length === 0 && structured !== undefined && (
            <StructuredView value={structured} />
          )}
        </>
      )}
      {result && mode === 'structured' && structured !== undefined && (
        <StructuredView value={structured} />
      )}
      {result && mode === 'raw' && <JsonTree value={result} label="Result as it came" />}
    </>
  )
}

function showInTrace(seq: number) {
  setTraceOpen(true)
  selectRow(seq)
}

function appOf(tool: ToolItem | undefined, { id, params }: Run): ShownApp | undefined {
  if (tool?.appUri === undefined) return undefined
  return {
    uri: tool.appUri,
    run: id,
    tool: tool.item as JsonObject, // came as JSON
    input: recordOf(params['arguments']) as JsonObject, // was sent as JSON
  }
}
