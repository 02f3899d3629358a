import { showProblem } from '../parts/problem.tsx'

/**
 * Whether something stands in a form that is no value, such as `12x` in a field for a number. It would be left out of what
 * is sent, so nothing is sent: the person is told and led there.
 */
export function isBlocked(panel: Element | null | undefined): boolean {
  const marked = panel?.querySelector<HTMLElement>('[data-unreadable]')
  if (!marked) return false
  const field = marked.querySelector<HTMLElement>('[contenteditable=true], textarea') ?? marked
  field.focus()
  showProblem(
    new Error('The marked fields have no valid value and would not be sent.'),
    'Nothing was sent',
  )
  return true
}

/** The panel whose foot holds a button. */
export function panelOf(button: Element): Element | null | undefined {
  return button.closest('.column-foot')?.parentElement
}
