import { Autocomplete, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import type { TextNode } from '@parley/foundation/forms'
import { useRef, useState, type ReactElement } from 'react'

import { useForm } from '../form-context.ts'
import { defaultHint } from './default-hint.ts'
import { useTies } from './field-ids.ts'
import { FileField } from './file-field.tsx'
import { MomentField } from './moment-field.tsx'

/** A text; cleared, one that may be left out is left out. */
export function TextField({ node }: { readonly node: TextNode }): ReactElement {
  const { change, readOnly, suggest } = useForm()
  const ties = useTies(node)
  const set = (text: string) => {
    if (text === '' && !node.required) change(node.path, { kind: 'remove' })
    else change(node.path, { kind: 'set', value: text })
  }
  const value = node.value ?? ''
  const shared = {
    ...ties,
    value,
    readOnly: readOnly || node.readOnly,
    error: ties['aria-invalid'] === true,
    placeholder: placeholderOf(node),
    onChange: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
  }
  if (suggest) return <SuggestField node={node} onText={set} />
  if (node.file) return <FileField node={node} form={node.file} onText={set} />
  // An input would show a value with line breaks without them, and a date input shows only dates.
  if (value.includes('\n')) return <Textarea {...shared} autosize minRows={2} maxRows={16} />
  if (node.isSecret) return <PasswordInput {...shared} autoComplete="off" />
  if (node.format === 'date' && /^(\d{4}-\d\d-\d\d)?$/.test(value)) {
    return <TextInput {...shared} type="date" />
  }
  if (node.format === 'date-time') return <MomentField node={node} input={shared} onText={set} />
  if (node.format === undefined) return <Textarea {...shared} autosize minRows={1} maxRows={16} />
  return <TextInput {...shared} spellCheck={false} />
}

function SuggestField({ node, onText }: { node: TextNode; onText: (text: string) => void }) {
  const { suggest, readOnly } = useForm()
  const ties = useTies(node)
  const [found, setFound] = useState<readonly string[]>([])
  const newest = useRef(0)
  const ask = useDebouncedCallback(async (text: string) => {
    const turn = ++newest.current
    // Suggestions are a courtesy: without them the field works all the same.
    const texts = (await suggest?.(node.path, text).catch(() => [])) ?? []
    if (turn === newest.current) setFound([...new Set(texts)].slice(0, 100))
  }, 180)
  return (
    <Autocomplete
      {...ties}
      value={node.value ?? ''}
      data={found}
      filter={({ options }) => options}
      readOnly={readOnly}
      error={ties['aria-invalid'] === true}
      placeholder={placeholderOf(node)}
      onFocus={() => ask(node.value ?? '')}
      onChange={(text) => {
        onText(text)
        ask(text)
      }}
    />
  )
}

function placeholderOf(node: TextNode): string {
  if (node.presence !== 'absent' || node.default !== undefined) return defaultHint(node)
  const [example] = node.examples
  if (typeof example === 'string') return `for example ${example}`
  if (node.format === 'date-time') return 'for example 2026-01-31T12:00:00Z'
  return defaultHint(node)
}
