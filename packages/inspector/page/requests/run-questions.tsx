import type { ReactElement } from 'react'

import type { QuestionView } from '../../src/protocol/index.ts'
import { useRuns, type Run } from '../runs.ts'
import { useStore } from '../store.ts'
import { isAskedBy } from './question-call.ts'
import { ServerQuestionCard } from './question-form.tsx'

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
        <ServerQuestionCard key={question.id} question={question} />
      ))}
    </>
  )
}
