import { isSame, type FormNode } from '@parley/foundation/forms'

/** What the server takes where nothing is sent, for a field that is left out; else whether it may be. */
export function defaultHint(node: FormNode): string {
  if (node.presence !== 'absent') return ''
  const defaultText = defaultWords(node)
  if (defaultText !== undefined) return `default: ${defaultText}`
  return node.required ? '' : 'left out'
}

/** The default in words; undefined where there is none. */
export function defaultWords(node: FormNode): string | undefined {
  const { default: defaultValue } = node
  if (defaultValue === undefined) return undefined
  if (node.kind === 'choice' || node.kind === 'choices') {
    const values =
      node.kind === 'choices' && Array.isArray(defaultValue) ? defaultValue : [defaultValue]
    return values.map((value) => labelOf(node, value)).join(', ') || 'none'
  }
  const text =
    typeof defaultValue === 'string' && defaultValue !== ''
      ? defaultValue
      : JSON.stringify(defaultValue)
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

const maxCharacters = 120

function labelOf(node: Extract<FormNode, { kind: 'choice' | 'choices' }>, value: unknown): string {
  const option = node.options.find((candidate) =>
    isSame(candidate.value, value as typeof candidate.value),
  ) // JSON of the schema
  return option?.label ?? JSON.stringify(value)
}
