import { Combobox, Textarea, useCombobox } from '@mantine/core'
import type { ReactElement } from 'react'

import { MoreValues, type CompletionInputProps } from './completion-input.tsx'
import { useCompletion } from './use-completion.ts'

export interface ArgumentFieldProps extends CompletionInputProps {
  readonly error: string | undefined
}

/** An argument of a prompt: text of any number of lines, completed by the server while it is typed. */
export function ArgumentField(props: ArgumentFieldProps): ReactElement {
  const { label, description, required, value, onChange, error } = props
  const { values, hasMore, ask } = useCompletion(props)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const set = (text: string) => {
    onChange(text)
    ask(text)
  }
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(picked) => {
        set(picked)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target>
        <Textarea
          label={label}
          description={description}
          required={required ?? false}
          value={value}
          error={error}
          autosize
          minRows={1}
          maxRows={12}
          rightSection={hasMore ? <MoreValues /> : undefined}
          onChange={(event) => {
            set(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onFocus={() => {
            ask(value)
            combobox.openDropdown()
          }}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={values.length === 0}>
        <Combobox.Options mah={220} style={{ overflowY: 'auto' }}>
          {values.map((item) => (
            <Combobox.Option value={item} key={item}>
              {item}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
