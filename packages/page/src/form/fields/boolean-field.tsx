import { SegmentedControl } from '@mantine/core'
import type { BooleanNode } from '@parley/foundation/forms'
import type { ReactElement } from 'react'

import { useForm } from '../form-context.ts'
import { defaultWords } from './default-hint.ts'
import { useGroupName, useTies } from './field-ids.ts'

/** True, false, or left out: a switch could not tell the last two apart. */
export function BooleanField({ node }: { readonly node: BooleanNode }): ReactElement {
  const { change, readOnly } = useForm()
  const name = useGroupName(node)
  const ties = useTies(node)
  const defaultText = defaultWords(node)
  const left = {
    value: 'absent',
    label: defaultText === undefined ? 'left out' : `default: ${defaultText}`,
  }
  const isAbsent = node.presence === 'absent'
  return (
    <SegmentedControl
      className="boolean-field"
      {...name}
      aria-describedby={ties['aria-describedby']}
      value={isAbsent ? 'absent' : String(node.value)}
      readOnly={readOnly || node.readOnly}
      data={[
        { value: 'true', label: 'true' },
        { value: 'false', label: 'false' },
        ...(node.required && !isAbsent ? [] : [left]),
      ]}
      onChange={(next) => {
        if (next === 'absent') change(node.path, { kind: 'remove' })
        else change(node.path, { kind: 'set', value: next === 'true' })
      }}
    />
  )
}
