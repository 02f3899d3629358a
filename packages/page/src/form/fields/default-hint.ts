import { isSame, type FormNode } from '@parley/foundation/forms'

/** What the server takes where nothing is sent, for a field that is left out; else whether it may be. */
export function defaultHint(node: FormNode): string {
  if (node.presence !== 'absent') return ''
  const given = defaultWords(node)
  if (given !== undefined) return `default: ${given}`
  return node.required ? '' : 'left out'
}

/** The default in words; undefined where there is none. */
export function defaultWords(node: FormNode): string | undefined {
  const { default: given } = node
  if (given === undefined) return undefined
  if (node.kind === 'choice' || node.kind === 'choices') {
    const values = node.kind === 'choices' && Array.isArray(given) ? given : [given]
    return values.map((value) => labelOf(node, value)).join(', ') || 'none'
  }
  const text = typeof given === 'string' && given !== '' ? given : JSON.stringify(given)
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}

const maxCharacters = 120

function labelOf(node: Extract<FormNode, { kind: 'choice' | 'choices' }>, value: unknown): string {
  const option = node.options.find((one) => isSame(one.value, value as typeof one.value)) // JSON of the schema
  return option?.label ?? JSON.stringify(value)
}
