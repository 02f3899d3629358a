import { QuestionCard, QuestionForm, type QuestionFormProps } from '@parley/page/questions'
import type { ReactElement } from 'react'

import type { QuestionView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { resourceActions } from '../resources/resource-actions.ts'
import { useStore } from '../store.ts'
import { neverAsk } from './never-ask.ts'

/** The ways to answer an open question. */
export function ServerQuestionForm({
  question,
}: {
  readonly question: QuestionView
}): ReactElement {
  return <QuestionForm {...useFormProps(question)} />
}

/** The same in a card, to stand where the call is. */
export function ServerQuestionCard({
  question,
}: {
  readonly question: QuestionView
}): ReactElement {
  return <QuestionCard {...useFormProps(question)} />
}

function useFormProps(question: QuestionView): QuestionFormProps {
  const server = useStore((store) => store.servers.find(({ name }) => name === question.server))
  const model = useStore((store) => store.model)
  return {
    question,
    onAnswer: (answer) => openChannel().ask('questions/answer', { id: question.id, answer }),
    onNeverAsk: () => neverAsk(question.server),
    model: { name: model?.model },
    roots: server?.settings.roots,
    resources: server && resourceActions(server),
    isOpen,
  }
}

function isOpen(id: string): boolean {
  return useStore
    .getState()
    .questions.some((question) => question.id === id && question.state === 'open')
}
