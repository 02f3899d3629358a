import { ActionIcon, NumberInput, Select, TextInput } from '@mantine/core'
import { JsonEditor } from '@parley/page/form'
import { Icon } from '@parley/page/icons'
import { jsonOf } from '@parley/page/json'
import type { ReactElement } from 'react'

import type { Assertion } from '../../src/protocol/index.ts'

const kinds = [
  { value: 'succeeds', label: 'succeeds' },
  { value: 'fails', label: 'fails' },
  { value: 'equals', label: 'equals' },
  { value: 'matches', label: 'matches' },
  { value: 'schema', label: 'matches a schema' },
  { value: 'latency', label: 'takes at most' },
] as const satisfies readonly { value: Assertion['kind']; label: string }[]

export interface AssertionFieldsProps {
  readonly assertion: Assertion
  readonly onChange: (assertion: Assertion) => void
  readonly onRemove: () => void
}

/** One thing an answer must be. */
export function AssertionFields(props: AssertionFieldsProps): ReactElement {
  const { assertion, onChange, onRemove } = props
  return (
    <li className="assertion">
      <div className="row">
        <Select
          aria-label="Condition"
          w={140}
          value={assertion.kind}
          data={kinds}
          allowDeselect={false}
          onChange={(kind) => kind && onChange(startOf(kind, assertion))}
        />
        {'pointer' in assertion && (
          <TextInput
            className="grow"
            aria-label="Where, as a JSON pointer into the result"
            placeholder="/content/0/text"
            classNames={{ input: 'mono' }}
            value={assertion.pointer}
            onChange={(event) => onChange({ ...assertion, pointer: event.currentTarget.value })}
          />
        )}
        {assertion.kind === 'latency' && (
          <NumberInput
            aria-label="Milliseconds"
            suffix=" ms"
            min={0}
            value={assertion.atMostMs}
            onChange={(ms) => typeof ms === 'number' && onChange({ ...assertion, atMostMs: ms })}
          />
        )}
        {!('pointer' in assertion) && assertion.kind !== 'latency' && <span className="grow" />}
        <ActionIcon aria-label="Remove this check" onClick={onRemove}>
          <Icon name="trash" size={14} />
        </ActionIcon>
      </div>
      {assertion.kind === 'matches' && (
        <TextInput
          aria-label="A regular expression"
          placeholder="^ok"
          classNames={{ input: 'mono' }}
          value={assertion.pattern}
          onChange={(event) => onChange({ ...assertion, pattern: event.currentTarget.value })}
        />
      )}
      {assertion.kind === 'equals' && (
        <JsonEditor
          isSmall
          label="The value it must have"
          value={jsonOf(assertion.value)}
          onChange={(value) => onChange({ ...assertion, value: value ?? null })}
        />
      )}
      {assertion.kind === 'schema' && (
        <JsonEditor
          isSmall
          label="The schema it must match"
          value={jsonOf(assertion.schema)}
          onChange={(schema) => onChange({ ...assertion, schema: schema ?? {} })}
        />
      )}
    </li>
  )
}

/** What an assertion says in one line. */
export function assertionText(assertion: Assertion): string {
  switch (assertion.kind) {
    case 'succeeds':
    case 'fails':
      return assertion.kind
    case 'equals':
      return `${assertion.pointer || '(result)'} equals ${JSON.stringify(assertion.value)}`
    case 'matches':
      return `${assertion.pointer || '(result)'} matches ${assertion.pattern}`
    case 'schema':
      return `${assertion.pointer || '(result)'} matches the schema`
    case 'latency':
      return `takes at most ${assertion.atMostMs} ms`
  }
}

function startOf(kind: Assertion['kind'], before: Assertion): Assertion {
  const pointer = 'pointer' in before ? before.pointer : ''
  switch (kind) {
    case 'succeeds':
    case 'fails':
      return { kind }
    case 'equals':
      return { kind, pointer, value: null }
    case 'matches':
      return { kind, pointer, pattern: '' }
    case 'schema':
      return { kind, pointer, schema: { type: 'object' } }
    case 'latency':
      return { kind, atMostMs: 1000 }
  }
}
