import { useId, useLayoutEffect, useRef, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { QuestionForm, type QuestionFormProps } from './question-form.tsx'
import { kindLooks } from './question-looks.ts'

import './questions.css'

/** A question with its form, to stand where the call is that led to it. */
export function QuestionCard(props: QuestionFormProps): ReactElement {
  const { server, kind } = props.question
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
      <QuestionForm {...props} />
    </section>
  )
}
