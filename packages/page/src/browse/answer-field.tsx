import { PasswordInput, Select, TextInput } from '@mantine/core'
import type { CatalogueQuestion } from '@parley/foundation/catalogue'
import { showHidden } from '@parley/foundation/text-safety'
import type { ReactElement } from 'react'

/** A question of an entry, with a field for its answer. */
export function AnswerField(props: {
  readonly question: CatalogueQuestion
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement {
  const { question, value, onChange } = props
  const { id, description, isRequired, isSecret, placeholder, choices, default: preset } = question
  const shared = {
    label: showHidden(id),
    description: description === undefined ? undefined : showHidden(description),
    placeholder: showHidden(preset ?? placeholder ?? ''),
    required: isRequired && preset === undefined,
  }
  const options = choices ?? (question.format === 'boolean' ? ['true', 'false'] : undefined)
  if (options !== undefined) {
    return (
      <Select
        {...shared}
        value={value === '' ? null : value}
        data={[...new Set(options)].map((option) => ({ value: option, label: showHidden(option) }))}
        clearable={!isRequired}
        onChange={(picked) => onChange(picked ?? '')}
      />
    )
  }
  const Input = isSecret ? PasswordInput : TextInput
  return (
    <Input
      {...shared}
      value={value}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
