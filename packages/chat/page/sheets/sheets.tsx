import { Button } from '@mantine/core'
import { Boundary, Note, showProblem } from '@parley/page/parts'
import type { ReactElement } from 'react'

import type { ChatAnswer, ChatQuestion } from '../../src/chat.ts'
import { channel } from '../channel.ts'
import { show, useStore } from '../store.ts'
import { ConsentSheet } from './consent-sheet.tsx'
import { ElicitationSheet } from './elicitation-sheet.tsx'
import { KeySheet } from './key-sheet.tsx'
import { SamplingAnswerSheet } from './sampling-answer-sheet.tsx'
import { SamplingSheet } from './sampling-sheet.tsx'

/** What waits for the person: here in the thread, not in a dialog before it. */
export function Sheets(): ReactElement {
  const questions = useStore((store) => store.questions)
  const shown = useStore((store) => store.shown?.id)
  const here = questions.filter(
    ({ conversation }) => conversation === undefined || conversation === shown,
  )
  const elsewhere = questions.find((question) => !here.includes(question))
  return (
    <div className="sheets">
      {here.map((question) => (
        <Boundary key={question.id} name="This question">
          <Sheet question={question} />
        </Boundary>
      ))}
      {elsewhere?.conversation !== undefined && <Elsewhere conversation={elsewhere.conversation} />}
    </div>
  )
}

function Sheet({ question }: { readonly question: ChatQuestion }): ReactElement {
  const onAnswer = (answer: ChatAnswer) => void send(question.id, answer)
  switch (question.kind) {
    case 'consent':
      return <ConsentSheet calls={question.calls} onAnswer={onAnswer} />
    case 'elicitation':
      return <ElicitationSheet question={question.question} onAnswer={onAnswer} />
    case 'sampling':
      return <SamplingSheet review={question.review} onAnswer={onAnswer} />
    case 'sampling-answer':
      return <SamplingAnswerSheet answer={question.answer} onAnswer={onAnswer} />
    case 'key':
      return <KeySheet request={question.request} onAnswer={onAnswer} />
  }
}

async function send(id: string, answer: ChatAnswer): Promise<void> {
  try {
    const { isUsed } = await channel.ask('questions/answer', { id, answer })
    if (!isUsed) throw new Error('It was answered before, or the server withdrew it.')
  } catch (error) {
    showProblem(error, 'The answer was not taken')
  }
}

function Elsewhere({ conversation }: { readonly conversation: string }): ReactElement {
  const title = useStore(
    (store) => store.conversations.find(({ id }) => id === conversation)?.title,
  )
  return (
    <Note
      tone="info"
      title="Another conversation waits for your answer"
      action={
        <Button variant="default" size="xs" onClick={() => void show(conversation)}>
          Show it
        </Button>
      }
    >
      {title}
    </Note>
  )
}
