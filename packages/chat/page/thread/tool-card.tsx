import { Button, Progress, UnstyledButton } from '@mantine/core'
import { ContentBlock, StructuredView } from '@parley/page/content'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { formatMs, formatTime, Tag } from '@parley/page/parts'
import { useId, useState, type ReactElement } from 'react'

import { changeDraft, useDraft } from '../composer/draft.ts'
import { showCalls } from '../trace/trace-open.ts'
import { visible, visibleBlock, visibleIn } from '../visible.ts'
import { AppPlace } from './app-place.tsx'
import { callDuration, callState } from './call-state.ts'
import type { CallView } from './read-thread.ts'

/** A call: one line, and on demand everything about it. */
export function ToolCard({ call }: { readonly call: CallView }): ReactElement {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const { server, tool, progress } = call
  const state = callState(call)
  const tookMs = callDuration(call)
  const pictures = call.result?.content.filter(({ type }) => type === 'image') ?? []
  return (
    <section className="tool-card" aria-label={`Call of ${visible(tool)}`}>
      <UnstyledButton
        className="tool-card-line"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
        <span className="tool-card-name cut">
          {server !== '' && <span className="quiet">{visible(server)} · </span>}
          <strong>{visible(tool)}</strong>
        </span>
        <span className="grow cut quiet mono">{shortArguments(call)}</span>
        <Tag tone={state.tone} icon={state.icon}>
          {state.word}
        </Tag>
        {tookMs !== undefined && <span className="quiet tabular">{formatMs(tookMs)}</span>}
      </UnstyledButton>
      {state.isRunning && <CallProgress progress={progress} />}
      <AppPlace call={call} />
      {!isOpen && pictures.length > 0 && (
        <div className="tool-card-pictures">
          {pictures.map((block, at) => (
            <ContentBlock key={at} block={block} />
          ))}
        </div>
      )}
      <div id={id} hidden={!isOpen}>
        {isOpen && <CallDetail call={call} />}
      </div>
    </section>
  )
}

function CallProgress({ progress }: Pick<CallView, 'progress'>): ReactElement {
  const part =
    progress?.total !== undefined && progress.total > 0
      ? Math.min(1, Math.max(0, progress.progress / progress.total))
      : undefined
  return (
    <div className="tool-card-progress">
      <Progress
        value={part === undefined ? 100 : part * 100}
        animated={part === undefined}
        striped={part === undefined}
        size="sm"
        aria-label="Progress of the call"
      />
      {progress !== undefined && (
        <div className="row quiet">
          <span className="grow cut">{visible(progress.message ?? '')}</span>
          <span className="tabular">
            {part === undefined ? progress.progress : `${Math.round(part * 100)} %`}
          </span>
        </div>
      )}
    </div>
  )
}

function CallDetail({ call }: { readonly call: CallView }): ReactElement {
  const { decision, result } = call
  const sent = decision?.arguments ?? call.arguments
  return (
    <div className="tool-card-detail">
      <h3>Arguments</h3>
      <JsonTree value={visibleIn(sent)} label="Arguments" />
      {decision?.arguments !== undefined && <p className="quiet">You changed these.</p>}
      {decision !== undefined && (
        <>
          <h3>Decision</h3>
          <p className="wrap">
            {decision.decision === 'allow' ? 'Allowed' : 'Refused'}: {visible(decision.rule)}
          </p>
        </>
      )}
      {result !== undefined && (
        <>
          <h3>Result</h3>
          {result.content.map((block, at) => (
            // Blocks have no identity but their place.
            <ContentBlock
              key={at}
              block={visibleBlock(block)}
              resources={{ onAttach: () => attachLinked(call.server, block) }}
            />
          ))}
          {result.structuredContent !== undefined && (
            <StructuredView value={visibleIn(result.structuredContent)} />
          )}
          {result.content.length === 0 && result.structuredContent === undefined && (
            <p className="quiet">It has no content.</p>
          )}
          {result.handle !== undefined && (
            <p className="quiet">It is long: the model got a part of it, and can read on.</p>
          )}
        </>
      )}
      <h3>Trace</h3>
      <CallTrace call={call} />
      {call.server !== '' && (
        <Button
          className="self-start"
          variant="subtle"
          size="compact-xs"
          onClick={() => void showCalls(call.server)}
        >
          Show the messages of this server
        </Button>
      )}
    </div>
  )
}

/** A resource that a result links to, listed or not. */
function attachLinked(server: string, block: CallResult['content'][number]): void {
  if (block.type !== 'resource_link') return
  const { uri, name, size } = block
  const others = useDraft.getState().resources.filter((one) => one.uri !== uri)
  changeDraft({ resources: [...others, { server, uri, name, size }] })
  document.querySelector<HTMLElement>('[data-composer]')?.focus()
}

type CallResult = NonNullable<CallView['result']>

/** When each step of a call happened, and what it waited for. */
function CallTrace({ call }: { readonly call: CallView }): ReactElement {
  const { calledAt, decidedAt, endedAt } = call
  const steps = [
    { what: 'The model asked for it', at: calledAt },
    ...(decidedAt === undefined ? [] : [{ what: 'Decided', at: decidedAt }]),
    ...(endedAt === undefined ? [] : [{ what: 'The result arrived', at: endedAt }]),
  ]
  return (
    <table className="table">
      <caption className="visually-hidden">Steps of the call</caption>
      <thead>
        <tr>
          <th scope="col">At</th>
          <th scope="col">After</th>
          <th scope="col">What</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ what, at }) => (
          <tr key={what}>
            <td className="number">{formatTime(at)}</td>
            <td className="number">{formatMs(at - calledAt)}</td>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function shortArguments({ arguments: args, decision }: CallView): string {
  const text = JSON.stringify(decision?.arguments ?? args)
  return visible(text === '{}' ? '' : text.slice(0, 200))
}
