import { useState, type ReactElement } from 'react'

import type { Answer, QuestionView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { JsonTree } from '../form/json-tree.tsx'
import { Icon } from '../icons.tsx'
import { formatTime } from '../parts/duration.ts'
import { Note, showProblem } from '../parts/problem.tsx'
import { Tag } from '../parts/tag.tsx'
import { useStore } from '../store.ts'
import { ElicitationAnswer } from './elicitation-answer.tsx'
import { kindLooks } from './question-queue.tsx'
import { RootsAnswer } from './roots-answer.tsx'
import { SamplingAnswer } from './sampling-answer.tsx'

/** What an answer form gets: the question, and how to end it. */
export interface AnswerProps {
  readonly question: QuestionView
  readonly isBusy: boolean
  readonly onAnswer: (answer: Answer) => void
}

/** One question: who asks, in which call, what exactly, and the ways to answer. */
export function QuestionDetail({ question }: { readonly question: QuestionView }): ReactElement {
  const { id, server, kind, operation, name, round, rule, state, at, params, taskId } = question
  const [isBusy, setIsBusy] = useState(false)
  const others = useStore(
    (store) =>
      store.questions.filter(
        (one) => round !== undefined && one.round === round && one.state === 'open',
      ).length - 1,
  )
  const { icon, asks } = kindLooks[kind]

  async function answer(given: Answer) {
    setIsBusy(true)
    try {
      await openChannel().ask('questions/answer', { id, answer: given })
    } catch (error) {
      showProblem(error, 'The answer was not sent')
    }
    setIsBusy(false)
  }

  const props: AnswerProps = { question, isBusy, onAnswer: (given) => void answer(given) }
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
            title={`Task ${taskId}: the server does not wait, and asks how it goes`}
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
            </div>
          )}
          {kind === 'elicitation' && <ElicitationAnswer {...props} />}
          {kind === 'sampling' && <SamplingAnswer {...props} />}
          {kind === 'roots' && <RootsAnswer {...props} />}
        </>
      ) : (
        <div className="column-scroll">
          <Note
            tone={state === 'answered' ? 'good' : 'info'}
            title={state === 'answered' ? 'Answered' : 'Withdrawn'}
          >
            {state === 'answered'
              ? 'The answer is in the trace.'
              : taskId === undefined
                ? 'The call that asked has ended, so nobody waits for an answer.'
                : 'The server cancelled the task, or its connection has ended.'}
          </Note>
          <JsonTree value={params} label="What was asked" />
        </div>
      )}
    </>
  )
}

const taskWords = { open: 'working', answered: 'ended', void: 'cancelled' } as const
