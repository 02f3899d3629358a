import { ActionIcon, Button, TextInput } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import type { ReactElement } from 'react'

export interface VariableFieldsProps {
  readonly variables: { readonly [name: string]: string }
  readonly onChange: (variables: { readonly [name: string]: string }) => void
}

/** What `{{name}}` stands for in the requests of a collection. */
export function VariableFields({ variables, onChange }: VariableFieldsProps): ReactElement {
  const entries = Object.entries(variables)
  const set = (index: number, entry: readonly [string, string]) =>
    onChange(Object.fromEntries(entries.with(index, [...entry])))
  return (
    <section className="variables" aria-label="Variables">
      <div className="field-head">
        <span className="field-name">Variables</span>
        <span className="field-type">
          written as <code>{'{{name}}'}</code>
        </span>
      </div>
      {entries.map(([name, value], index) => (
        <div key={index} className="row">
          <TextInput
            w={140}
            aria-label="Name of the variable"
            classNames={{ input: 'mono' }}
            value={name}
            onChange={(event) => set(index, [event.currentTarget.value, value])}
          />
          <TextInput
            className="grow"
            aria-label={`Value of ${name}`}
            value={value}
            onChange={(event) => set(index, [name, event.currentTarget.value])}
          />
          <ActionIcon
            aria-label={`Remove the variable ${name}`}
            onClick={() => onChange(Object.fromEntries(entries.toSpliced(index, 1)))}
          >
            <Icon name="trash" size={14} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => onChange({ ...variables, [freeName(variables)]: '' })}
        >
          Add a variable
        </Button>
      </div>
    </section>
  )
}

function freeName(variables: { readonly [name: string]: string }): string {
  let number = Object.keys(variables).length + 1
  while (Object.hasOwn(variables, `name${number}`)) number++
  return `name${number}`
}
