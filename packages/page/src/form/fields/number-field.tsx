import { TextInput } from '@mantine/core'
import type { NumberNode } from '@parley/foundation/forms'
import { useState, type KeyboardEvent, type ReactElement } from 'react'

import { useForm } from '../form-context.ts'
import { defaultHint } from './default-hint.ts'
import { useTies } from './field-ids.ts'

/** A number. What is no number, or none that can be sent as it is written, stays in the field and is marked. */
export function NumberField({ node }: { readonly node: NumberNode }): ReactElement {
  const { change, readOnly } = useForm()
  const ties = useTies(node)
  const [draft, setDraft] = useState<{ readonly text: string; readonly over: number | undefined }>()
  const isCurrent = draft !== undefined && isDraftOf(draft, node.value)
  const text = isCurrent ? draft.text : node.value === undefined ? '' : String(node.value)
  const isWrong = parse(text) === null

  function set(next: string) {
    setDraft({ text: next, over: node.value })
    const number = parse(next)
    if (number === undefined && node.presence === 'value') change(node.path, { kind: 'remove' })
    if (typeof number === 'number') change(node.path, { kind: 'set', value: number })
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const step = (node.multipleOf ?? 1) * (event.key === 'ArrowUp' ? 1 : -1)
    const next = (node.value ?? 0) + step
    set(String(Number.isInteger(next) ? next : Number(next.toPrecision(12))))
  }

  return (
    <TextInput
      {...ties}
      role="spinbutton"
      aria-valuenow={node.value}
      aria-valuemin={node.minimum}
      aria-valuemax={node.maximum}
      inputMode={node.isInteger ? 'numeric' : 'decimal'}
      value={text}
      readOnly={readOnly || node.readOnly}
      placeholder={defaultHint(node)}
      data-unreadable={isWrong || undefined}
      error={isWrong ? problemOf(text) : ties['aria-invalid'] === true}
      rightSection={<span className="field-range">{rangeOf(node)}</span>}
      rightSectionWidth="auto"
      onChange={(event) => set(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => setDraft((before) => (isWrong ? before : undefined))}
    />
  )
}

/** What was typed stands as long as it says the value, or says nothing and the value is the one it was typed over. */
function isDraftOf(
  { text, over }: { readonly text: string; readonly over: number | undefined },
  value: number | undefined,
): boolean {
  const number = parse(text)
  return number === null ? over === value : number === value
}

/** Undefined for nothing, null for what is no number or would become another. */
function parse(text: string): number | undefined | null {
  if (text.trim() === '') return undefined
  const number = Number(text)
  return Number.isFinite(number) && !isChanged(text, number) ? number : null
}

/** JSON has numbers of any size; what a program makes of them has 53 bits. */
function isChanged(text: string, number: number): boolean {
  return /^\s*[-+]?\d+\s*$/.test(text) && BigInt(text.trim().replace('+', '')) !== BigInt(number)
}

function problemOf(text: string): string {
  return Number.isFinite(Number(text)) ? 'too long to be sent exactly' : 'not a number'
}

function rangeOf({ minimum, maximum }: NumberNode): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} – ${maximum}`
  if (minimum !== undefined) return `≥ ${minimum}`
  return maximum === undefined ? '' : `≤ ${maximum}`
}
