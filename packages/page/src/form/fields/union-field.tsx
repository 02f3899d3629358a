import { SegmentedControl, Select } from '@mantine/core'
import { toPointer, type UnionNode } from '@parley/foundation/forms'
import type { ReactElement } from 'react'

import { useForm } from '../form-context.ts'
import type { NestsFields } from './field-frame.tsx'
import { useTies } from './field-ids.ts'

/** A choice of shape, and the fields of the one chosen. */
export function UnionField({
  node,
  Field,
}: NestsFields & { readonly node: UnionNode }): ReactElement {
  const { change, choose, readOnly } = useForm()
  const ties = useTies(node)
  const pick = (index: number) => {
    const variant = node.variants[index]
    if (!variant) return
    choose(toPointer(node.path), index)
    change(node.path, { kind: 'set', value: variant.start() })
  }
  const data = node.variants.map(({ label }, index) => ({ value: `${index}`, label }))
  const isShort = data.length <= 4 && data.reduce((sum, { label }) => sum + label.length, 0) <= 40
  const value = node.selected === -1 ? null : `${node.selected}`
  const label = `Shape of ${node.label}`
  const about = node.variants[node.selected]?.description
  return (
    <div className="union">
      {isShort && value !== null ? (
        <SegmentedControl
          className="union-choice"
          aria-label={label}
          value={value}
          data={data}
          readOnly={readOnly}
          onChange={(picked) => pick(Number(picked))}
        />
      ) : (
        <Select
          aria-label={label}
          aria-describedby={ties['aria-describedby']}
          value={value}
          data={data}
          readOnly={readOnly}
          searchable={data.length > 8}
          allowDeselect={false}
          placeholder={node.presence === 'value' ? 'matches none of these' : 'Choose one'}
          onChange={(picked) => picked !== null && pick(Number(picked))}
        />
      )}
      {about !== undefined && about !== node.description && (
        <div className="field-text">{about}</div>
      )}
      {node.node && (
        <div className="union-body">
          <Field
            key={node.selected}
            node={{ ...node.node, description: undefined }}
            frame="inner"
          />
        </div>
      )}
    </div>
  )
}
