import { Button } from '@mantine/core'
import { JsonTree } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { formatTime, Note, Tag } from '@parley/page/parts'
import { kindLooks } from '@parley/page/questions'
import type { ReactElement } from 'react'

import type { QuestionView } from '../../src/protocol/index.ts'
import { useRuns } from '../runs.ts'
import { useStore } from '../store.ts'
import { pick } from '../view.ts'
import { locationOf } from './question-call.ts'
import { ServerQuestionForm } from './question-form.tsx'

/** One question: who asks, in which call, what exactly, the ways to answer, and the way back to the call. */
export function QuestionDetail({ question }: { readonly question: QuestionView }): ReactElement {
  const { server, kind, operation, name, round, rule, state, at, taskId } = question
  const others = useStore(
    (store) =>
      store.questions.filter(
        (candidate) =>
          round !== undefined && candidate.round === round && candidate.state === 'open',
      ).length - 1,
  )
  const { icon, asks } = kindLooks[kind]
  return (
    <>
      <div className="column-head">
        <Icon name={icon} size={16} />
        <h2 className="resource-name cut">
          {server} {asks}
        </h2>
        <span className="grow" />
        {taskId !== undefined && (
          <Tag
            icon="clock"
            title={`Task ${taskId}: the server does not wait, but polls for the result`}
          >
            as a task, {taskWords[state]}
          </Tag>
        )}
        {rule !== undefined && <Tag icon="bolt">rule {rule}</Tag>}
        <span className="quiet">{formatTime(at)}</span>
      </div>
      {state === 'open' ? (
        <>
          {(operation !== undefined || others > 0) && (
            <div className="origin">
              {operation !== undefined && (
                <>
                  asked during <code className="code-inline">{operation}</code> {name}
                </>
              )}
              {others > 0 && <Tag icon="repeat">one of {others + 1} of this round</Tag>}
              <span className="grow" />
              <ToCall question={question} label="Show the call" />
            </div>
          )}
          <ServerQuestionForm question={question} />
        </>
      ) : (
        <Ended question={question} />
      )}
    </>
  )
}

/** What became of a question that waits no more. */
function Ended({ question }: { readonly question: QuestionView }) {
  const { state, taskId, params } = question
  return (
    <div className="column-scroll">
      <Note
        tone={state === 'answered' ? 'good' : 'info'}
        title={state === 'answered' ? 'Answered' : 'Withdrawn'}
        action={<ToCall question={question} label="Show the result" />}
      >
        {state === 'answered'
          ? 'The answer is in the trace.'
          : taskId === undefined
            ? 'The server withdrew the request, or its call has ended. No answer is needed.'
            : 'The server cancelled the task, or its connection has ended.'}
      </Note>
      <JsonTree value={params} label="What was asked" />
    </div>
  )
}

/** The way to the call that asked, where this page made it. */
function ToCall(props: { readonly question: QuestionView; readonly label: string }) {
  const runs = useRuns((all) => all.runs)
  const call = locationOf(props.question, runs)
  if (call === undefined) return null
  return (
    <Button
      variant="default"
      size="compact-sm"
      onClick={() => pick(call.server, call.tab, call.item)}
    >
      {props.label}
    </Button>
  )
}

const taskWords = { open: 'working', answered: 'ended', void: 'cancelled' } as const
