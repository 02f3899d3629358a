import { Checkbox, MultiSelect } from '@mantine/core'
import { isSame, type ChoicesNode } from '@parley/foundation/forms'
import type { ReactElement } from 'react'

import { useForm } from '../form-context.ts'
import { useGroupName, useTies } from './field-ids.ts'

/** So many options are boxes to tick; more are chosen from a list. */
const maxBoxes = 8

/** Some of given values. The order is that of the options. */
export function ChoicesField({ node }: { readonly node: ChoicesNode }): ReactElement {
  const { change, readOnly } = useForm()
  const name = useGroupName(node)
  const ties = useTies(node)
  const chosen = node.options
    .map(({ value }, index) =>
      node.value?.some((candidate) => isSame(candidate, value)) ? `${index}` : '',
    )
    .filter((index) => index !== '')
  const set = (indexes: readonly string[]) => {
    const values = node.options.filter((_, index) => indexes.includes(`${index}`))
    if (values.length === 0 && !node.required) change(node.path, { kind: 'remove' })
    else change(node.path, { kind: 'set', value: values.map(({ value }) => value) })
  }
  if (node.options.length > maxBoxes) {
    return (
      <MultiSelect
        {...ties}
        {...name}
        value={chosen}
        data={node.options.map(({ label }, index) => ({ value: `${index}`, label }))}
        readOnly={readOnly}
        searchable
        clearable
        error={ties['aria-invalid']}
        onChange={set}
      />
    )
  }
  return (
    <Checkbox.Group
      value={chosen}
      onChange={set}
      {...name}
      aria-describedby={ties['aria-describedby']}
      readOnly={readOnly}
    >
      <div className="choices">
        {node.options.map(({ label, description }, index) => (
          <Checkbox
            key={label}
            size="xs"
            value={`${index}`}
            label={label}
            description={description}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}
