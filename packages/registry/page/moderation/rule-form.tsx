import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { isJsonObject } from '@parley/mcp/json'
import { showHidden } from '@parley/page/parts'
import { useState, type FormEvent, type ReactElement } from 'react'

import { Card } from '../entry/card.tsx'
import type { Decision } from './decision-dialog.tsx'

/** What each kind of rule does, and what its pattern looks like. */
const kinds = {
  deny: { label: 'deny: hide entries', example: 'com.example/weather@1.0.0' },
  allow: { label: 'allow: hide all others', example: 'com.example/*' },
  block: { label: 'block: a publisher', example: 'com.example' },
  private: { label: 'private: for its publishers only', example: 'com.example/*' },
  pin: { label: 'pin: which version is the latest', example: 'com.example/weather' },
  overlay: { label: 'overlay: more for _meta', example: 'com.example/weather' },
} as const

type Kind = keyof typeof kinds

/** A new rule. */
export function RuleForm(props: { readonly onDecide: (decision: Decision) => void }): ReactElement {
  const [kind, setKind] = useState<Kind>('deny')
  const [pattern, setPattern] = useState('')
  const [value, setValue] = useState('')
  const needsValue = kind === 'pin' || kind === 'overlay'
  const parsed = kind === 'overlay' ? parse(value) : value.trim()
  const isComplete = pattern.trim() !== '' && (!needsValue || Boolean(parsed))

  function decide(event: FormEvent): void {
    event.preventDefault()
    if (!isComplete) return
    props.onDecide({
      title: 'Set a rule',
      effect: `${kinds[kind].label}, for ${showHidden(pattern.trim())}. It counts at once, also for entries that are there already.`,
      button: 'Set the rule',
      field: 'reason',
      body: {
        action: 'set',
        kind,
        pattern: pattern.trim(),
        ...(needsValue && { value: parsed }),
      },
    })
  }

  return (
    <Card title="New rule">
      <form className="stack" onSubmit={decide}>
        <Select
          label="Kind"
          value={kind}
          data={Object.entries(kinds).map(([name, { label }]) => ({ value: name, label }))}
          allowDeselect={false}
          onChange={(picked) => isKind(picked) && setKind(picked)}
        />
        <TextInput
          label={kind === 'block' ? 'Publisher' : 'Name, or a beginning followed by *'}
          placeholder={kinds[kind].example}
          value={pattern}
          maxLength={460}
          classNames={{ input: 'mono' }}
          required
          onChange={(event) => setPattern(event.currentTarget.value)}
        />
        {kind === 'pin' && (
          <TextInput
            label="Version"
            value={value}
            maxLength={255}
            classNames={{ input: 'mono' }}
            required
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
        {kind === 'overlay' && (
          <Textarea
            label="JSON object"
            placeholder={'{"com.example/stars": 5}'}
            value={value}
            maxLength={4_096}
            autosize
            minRows={2}
            classNames={{ input: 'mono' }}
            error={value.trim() !== '' && parsed === undefined && 'This is not a JSON object'}
            required
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end">
          <Button type="submit" variant="default" disabled={!isComplete}>
            Set the rule
          </Button>
        </Group>
      </form>
    </Card>
  )
}

function isKind(value: string | null): value is Kind {
  return value !== null && Object.hasOwn(kinds, value)
}

function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
