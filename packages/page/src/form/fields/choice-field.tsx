import { Select } from '@mantine/core'
import type { ChoiceNode } from '@parley/foundation/forms'
import type { ReactElement } from 'react'

import { useForm } from '../form-context.ts'
import { defaultHint } from './default-hint.ts'
import { useTies } from './field-ids.ts'

/** One of given values; a value that is none of them is said to be so, and stays. */
export function ChoiceField({ node }: { readonly node: ChoiceNode }): ReactElement {
  const { change, readOnly } = useForm()
  const ties = useTies(node)
  const isOther = node.presence === 'value' && node.selected === -1
  return (
    <Select
      {...ties}
      value={node.selected === -1 ? null : String(node.selected)}
      data={node.options.map(({ label }, index) => ({ value: String(index), label }))}
      readOnly={readOnly || node.readOnly}
      searchable={node.options.length > 8}
      clearable={!node.required}
      allowDeselect={false}
      maxDropdownHeight={260}
      placeholder={defaultHint(node) || 'Choose'}
      error={isOther ? `${JSON.stringify(node.value)} is not one of them` : ties['aria-invalid']}
      renderOption={({ option }) => {
        const chosen = node.options[Number(option.value)]
        return (
          <div>
            <div>{option.label}</div>
            {chosen?.description !== undefined && (
              <div className="option-text">{chosen.description}</div>
            )}
          </div>
        )
      }}
      onChange={(picked) => {
        const option = picked === null ? undefined : node.options[Number(picked)]
        if (option) change(node.path, { kind: 'set', value: option.value })
        else change(node.path, { kind: 'remove' })
      }}
    />
  )
}
