import { useState, type ReactElement } from 'react'

import type { Answer, QuestionView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { showProblem } from '../parts/problem.tsx'
import { ElicitationAnswer } from './elicitation-answer.tsx'
import { RootsAnswer } from './roots-answer.tsx'
import { SamplingAnswer } from './sampling-answer.tsx'

/** What an answer form gets: the question, and how to end it. */
export interface AnswerProps {
  readonly question: QuestionView
  readonly isBusy: boolean
  readonly onAnswer: (answer: Answer) => void
}

/** The ways to answer an open question. */
export function QuestionForm({ question }: { readonly question: QuestionView }): ReactElement {
  const [isBusy, setIsBusy] = useState(false)

  async function answer(given: Answer) {
    setIsBusy(true)
    try {
      await openChannel().ask('questions/answer', { id: question.id, answer: given })
    } catch (error) {
      showProblem(error, 'The answer was not sent')
    }
    setIsBusy(false)
  }

  const props: AnswerProps = { question, isBusy, onAnswer: (given) => void answer(given) }
  switch (question.kind) {
    case 'elicitation':
      return <ElicitationAnswer {...props} />
    case 'sampling':
      return <SamplingAnswer {...props} />
    case 'roots':
      return <RootsAnswer {...props} />
  }
}
