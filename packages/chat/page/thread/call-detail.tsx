import { Button } from '@mantine/core'
import { ContentBlock, StructuredView } from '@parley/page/content'
import { JsonTree } from '@parley/page/form'
import { DataTable, formatMs, formatTime } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { changeDraft, useDraft } from '../composer/draft.ts'
import { showCalls } from '../trace/trace-open.ts'
import { visible, visibleBlock, visibleIn } from '../visible.ts'
import type { CallView } from './read-thread.ts'

/** Everything about a call: arguments, decision, result, and when each step happened. */
export function CallDetail({ call }: { readonly call: CallView }): ReactElement {
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
      <h3>Steps</h3>
      <CallSteps call={call} />
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
  const others = useDraft.getState().resources.filter((resource) => resource.uri !== uri)
  changeDraft({ resources: [...others, { server, uri, name, size }] })
  document.querySelector<HTMLElement>('[data-composer]')?.focus()
}

type CallResult = NonNullable<CallView['result']>

/** When each step of a call happened, and what it waited for. */
function CallSteps({ call }: { readonly call: CallView }): ReactElement {
  const { calledAt, decidedAt, endedAt } = call
  const steps = [
    { what: 'The model asked for it', at: calledAt },
    ...(decidedAt === undefined ? [] : [{ what: 'Decided', at: decidedAt }]),
    ...(endedAt === undefined ? [] : [{ what: 'The result arrived', at: endedAt }]),
  ]
  return (
    <DataTable
      label="Steps of the call"
      columns={['Step', { title: 'At', align: 'right' }, { title: 'After', align: 'right' }]}
    >
      {steps.map(({ what, at }) => (
        <tr key={what}>
          <td>{what}</td>
          <td className="number">{formatTime(at)}</td>
          <td className="number">{formatMs(at - calledAt)}</td>
        </tr>
      ))}
    </DataTable>
  )
}
