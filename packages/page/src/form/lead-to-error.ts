import { announce } from '../parts/announce.ts'

const fields = 'input:not([type=hidden]), textarea, [contenteditable=true]'
const ways = '.array button, .object button, .link-button, button'

/** Puts the focus on the first field of a form that is marked as wrong, and says how many are. */
export function leadToError(form: Element | null): void {
  const errors = [...(form?.querySelectorAll('.field-error, .mantine-InputWrapper-error') ?? [])]
  const field = errors[0]?.closest('.field, .mantine-InputWrapper-root, .json-editor')
  const target =
    field?.querySelector<HTMLElement>(fields) ?? field?.querySelector<HTMLElement>(ways)
  target?.focus()
  if (errors.length > 0) {
    announce(
      errors.length === 1 ? 'One field needs attention' : `${errors.length} fields need attention`,
    )
  }
}
