import { useId, useLayoutEffect, useRef, type ReactElement } from 'react'

import type { QuestionView } from '../../src/protocol/index.ts'
import { Icon } from '../icons.tsx'
import { useRuns, type Run } from '../runs.ts'
import { useStore } from '../store.ts'
import { isAskedBy } from './question-call.ts'
import { QuestionForm } from './question-form.tsx'
import { kindLooks } from './question-looks.ts'

import './requests.css'

/** The open questions of a run. */
export function useRunQuestions(run: Run): readonly QuestionView[] {
  const questions = useStore((store) => store.questions)
  const runs = useRuns((all) => all.runs)
  return questions.filter((question) => isAskedBy(question, run, runs))
}

/** What a server asks during a call, answered where the call is. */
export function RunQuestions({ run }: { readonly run: Run }): ReactElement | null {
  const questions = useRunQuestions(run)
  return (
    <>
      {questions.map((question) => (
        <QuestionCard key={question.id} question={question} />
      ))}
    </>
  )
}

function QuestionCard({ question }: { readonly question: QuestionView }) {
  const { server, kind } = question
  const { icon, asks } = kindLooks[kind]
  const card = useRef<HTMLElement>(null)
  const title = useId()

  // Who pressed Run lost the focus with that button: it goes to the question, and from there to the result.
  useLayoutEffect(() => {
    const shown = card.current
    if (document.activeElement === document.body) shown?.focus({ preventScroll: true })
    return () => {
      if (!shown?.contains(document.activeElement)) return
      shown.closest<HTMLElement>('[data-pane]')?.focus({ preventScroll: true })
    }
  }, [])

  return (
    <section className="question-card" aria-labelledby={title} ref={card} tabIndex={-1}>
      <h3 className="question-card-head" id={title}>
        <Icon name={icon} size={15} />
        {server} {asks}
      </h3>
      <QuestionForm question={question} />
    </section>
  )
}
