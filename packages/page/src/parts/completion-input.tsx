import { Autocomplete } from '@mantine/core'
import type { ReactElement } from 'react'

import { useCompletion, type Completed } from './use-completion.ts'

export interface CompletionInputProps extends Completed {
  readonly label: string
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A text field that asks the server for values while the user types. */
export function CompletionInput(props: CompletionInputProps): ReactElement {
  const { label, description, required, value, onChange } = props
  const { values, hasMore, ask } = useCompletion(props)
  return (
    <Autocomplete
      label={label}
      description={description}
      required={required ?? false}
      value={value}
      data={values}
      filter={({ options }) => options}
      onChange={(text) => {
        onChange(text)
        ask(text)
      }}
      onFocus={() => ask(value)}
      rightSection={hasMore ? <MoreValues /> : undefined}
      maxDropdownHeight={220}
    />
  )
}

/** The server has more values than it gave. */
export function MoreValues(): ReactElement {
  return (
    <span className="quiet" title="There are more; type to narrow">
      …
    </span>
  )
}
