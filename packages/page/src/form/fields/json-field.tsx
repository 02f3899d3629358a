import type { JsonNode } from '@parley/foundation/forms'
import type { ReactElement } from 'react'

import { JsonEditor } from '../code/json-editor.tsx'
import { useForm } from '../form-context.ts'

const reasons: { readonly [reason in JsonNode['reason']]: string | undefined } = {
  any: undefined,
  mismatch: 'The value does not have the type that the schema requires.',
  unknown: 'The schema has a rule here that fields cannot show.',
  impossible: 'The schema allows no value here.',
  deep: 'Nested too deep for fields.',
  large: 'Too large for fields.',
}

/** What fields cannot show, as JSON. */
export function JsonField({ node }: { readonly node: JsonNode }): ReactElement {
  const { change, readOnly } = useForm()
  const reason = reasons[node.reason]
  return (
    <>
      {reason !== undefined && node.presence !== 'absent' && (
        <div className="field-note">{reason}</div>
      )}
      <JsonEditor
        value={node.value}
        label={node.label}
        readOnly={readOnly || node.readOnly}
        isSmall
        onChange={(value) => {
          if (value === undefined) change(node.path, { kind: 'remove' })
          else change(node.path, { kind: 'set', value })
        }}
      />
    </>
  )
}
