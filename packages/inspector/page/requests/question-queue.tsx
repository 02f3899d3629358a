import { Icon } from '@parley/page/icons'
import { Empty, formatTime, ListPanel, PickList, Tag, useIsNarrow } from '@parley/page/parts'
import { kindLooks, messageOf } from '@parley/page/questions'
import { useState, type ReactElement } from 'react'

import type { QuestionView } from '../../src/protocol/index.ts'
import { useStore } from '../store.ts'
import { QuestionDetail } from './question-detail.tsx'

/** The questions of all servers, open ones first; those of one round stand together. */
export function QuestionQueue(): ReactElement {
  const questions = useStore((store) => store.questions)
  const [chosen, setChosen] = useState<string>()
  const isNarrow = useIsNarrow()
  const ordered = orderQuestions(questions)
  const firstOpen = ordered.find(({ state }) => state === 'open')
  // With nothing open, the last one that was answered leads back to its result.
  const first = isNarrow ? undefined : (firstOpen ?? ordered[0])
  const question = questions.find(({ id }) => id === chosen) ?? first

  if (questions.length === 0) {
    return (
      <Empty icon="inbox" title="No requests">
        When a server asks for input, a model response or roots, its request appears here.
      </Empty>
    )
  }
  const list = (
    <PickList
      label="Requests"
      items={ordered.map((item) => ({
        id: item.id,
        text: `${item.server} ${item.kind} ${messageOf(item)}`,
        node: <QuestionRow question={item} isGrouped={isInRound(item, questions)} />,
      }))}
      picked={question?.id}
      onPick={setChosen}
      rowHeight={54}
      empty={null}
    />
  )
  const detail = question && <QuestionDetail key={question.id} question={question} />
  return (
    <ListPanel
      kind="requests"
      list={{ id: 'request-list', label: 'List of requests', size: '34%', least: 200, node: list }}
      details={[{ id: 'request-view', label: 'Request', size: '66%', least: 300, node: detail }]}
      isPicked={question !== undefined}
      onBack={() => setChosen(undefined)}
    />
  )
}

function QuestionRow({
  question,
  isGrouped,
}: {
  readonly question: QuestionView
  readonly isGrouped: boolean
}) {
  const { icon, word } = kindLooks[question.kind]
  return (
    <>
      <span className="pick-row-title">
        <Icon name={icon} size={14} />
        <span className="grow cut">
          {word} <span className="quiet">from {question.server}</span>
        </span>
        {question.taskId !== undefined && <Tag icon="clock">as a task</Tag>}
        {isGrouped && <Tag icon="repeat">round</Tag>}
        <Tag tone={question.state === 'open' ? 'warning' : 'plain'}>
          {stateWords[question.state]}
        </Tag>
      </span>
      <span className="pick-row-text cut">
        {formatTime(question.at).slice(0, 8)} · {messageOf(question)}
      </span>
    </>
  )
}

const stateWords = { open: 'open', answered: 'answered', void: 'withdrawn' } as const

/** Only what waits now belongs together: a later call of the same tool asks anew. */
function isInRound({ round, state }: QuestionView, questions: readonly QuestionView[]): boolean {
  if (round === undefined || state !== 'open') return false
  return questions.filter((other) => other.round === round && other.state === 'open').length > 1
}

/** Open ones first, oldest first among them; the rest newest first; a round stays together. */
function orderQuestions(questions: readonly QuestionView[]): readonly QuestionView[] {
  const roundAt = new Map<string, number>()
  for (const { round, at } of questions) {
    if (round !== undefined) roundAt.set(round, Math.min(at, roundAt.get(round) ?? at))
  }
  const timeOf = ({ round, at }: QuestionView) =>
    round === undefined ? at : (roundAt.get(round) ?? at)
  return questions.toSorted((a, b) => {
    const isOpen = Number(b.state === 'open') - Number(a.state === 'open')
    if (isOpen !== 0) return isOpen
    const time = a.state === 'open' ? timeOf(a) - timeOf(b) : timeOf(b) - timeOf(a)
    return time === 0 ? a.at - b.at : time
  })
}
