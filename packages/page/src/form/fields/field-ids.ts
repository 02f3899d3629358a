import { toPointer, type FormNode } from '@parley/foundation/forms'
import { createContext, useContext, useEffect } from 'react'

import { useForm } from '../form-context.ts'

/** Whether the name of a field is written beside it; else its input has to say it. */
export const NamedContext = createContext(true)

/** What ties a field's input to its name, its description and its mistakes. */
export interface FieldTies {
  readonly id: string
  readonly 'aria-label': string | undefined
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
  readonly 'aria-required': boolean | undefined
}

/** The ids of the parts of one field. */
export function useFieldIds(node: FormNode) {
  const { id } = useForm()
  const base = `${id}${toPointer(node.path)}`
  return { input: base, label: `${base}:label`, text: `${base}:text`, error: `${base}:error` }
}

/** Everything an input needs to be understood without seeing it. */
export function useTies(node: FormNode): FieldTies {
  const ids = useFieldIds(node)
  const isNamed = useContext(NamedContext)
  const hasError = useIssues(node).length > 0
  const described = [node.description !== undefined && ids.text, hasError && ids.error]
  const list = described.filter((part) => part !== false)
  return {
    id: ids.input,
    'aria-label': isNamed ? undefined : node.label,
    'aria-describedby': list.length === 0 ? undefined : list.join(' '),
    'aria-invalid': hasError || undefined,
    'aria-required': node.required || undefined,
  }
}

/** The name of an input that no label can point at. */
export function useGroupName(node: FormNode) {
  const { label } = useFieldIds(node)
  return useContext(NamedContext) ? { 'aria-labelledby': label } : { 'aria-label': node.label }
}

/** Ties the input of a field to its texts. Mantine sets that attribute itself, for the texts that it draws. */
export function useDescribed(node: FormNode): void {
  const { id, 'aria-describedby': texts } = useTies(node)
  useEffect(() => {
    const input = document.querySelector(`[id="${CSS.escape(id)}"]`)
    if (texts === undefined) input?.removeAttribute('aria-describedby')
    else input?.setAttribute('aria-describedby', texts)
  })
}

/** What is wrong with a field; a field nobody has been in is not wrong for being empty. */
export function useIssues(node: FormNode): readonly string[] {
  const { issues, touched, isTried, isQuiet } = useForm()
  const pointer = toPointer(node.path)
  if (isQuiet) return []
  if (node.presence === 'absent' && !isTried && !touched.has(pointer)) return []
  return [...new Set((issues.get(pointer) ?? []).map(({ message }) => message))]
}
