import { useState, type ReactElement } from 'react'

import type { ResourceActions } from '../content/content-block.tsx'
import { showProblem } from '../parts/problem.tsx'
import { ElicitationAnswer } from './elicitation-answer.tsx'
import type { Answer, InputRequestForm } from './question.ts'
import { RootsAnswer } from './roots-answer.tsx'
import { SamplingAnswer } from './sampling-answer.tsx'

import './questions.css'

export interface QuestionFormProps {
  readonly question: InputRequestForm
  /** Sends the answer; what it throws is shown. */
  readonly onAnswer: (answer: Answer) => Promise<unknown>
  /** Declines now and from now on, for a server that asks too often; a button where it is there. */
  readonly onNeverAsk?: (() => Promise<unknown>) | undefined
  /** The model that can answer a sampling request, none where `name` is absent; without it there is no such button. */
  readonly model?: { readonly name?: string | undefined } | undefined
  /** Where the answer to a request for roots begins. */
  readonly roots?: readonly string[] | undefined
  /** What can be done with resources in messages. */
  readonly resources?: ResourceActions | undefined
  /** Which questions wait: what was written for others is forgotten. */
  readonly isOpen?: ((id: string) => boolean) | undefined
}

/** The ways to answer an open question. */
export function QuestionForm(props: QuestionFormProps): ReactElement {
  const { question, onAnswer, onNeverAsk, model, roots, resources, isOpen } = props
  const [isBusy, setIsBusy] = useState(false)

  async function answer(response: Answer) {
    setIsBusy(true)
    try {
      await onAnswer(response)
    } catch (error) {
      showProblem(error, 'The answer was not sent')
    }
    setIsBusy(false)
  }

  const common = { question, isBusy, isOpen, onAnswer: (response: Answer) => void answer(response) }
  switch (question.kind) {
    case 'elicitation':
      return <ElicitationAnswer {...common} onNeverAsk={onNeverAsk} />
    case 'sampling':
      return <SamplingAnswer {...common} model={model} resources={resources} />
    case 'roots':
      return <RootsAnswer {...common} roots={roots} />
  }
}
