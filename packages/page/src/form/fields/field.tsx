import { readForm, toPointer, type FormNode } from '@parley/foundation/forms'
import { useState, type ReactElement } from 'react'

import { useForm } from '../form-context.ts'
import { ArrayField } from './array-field.tsx'
import { BooleanField } from './boolean-field.tsx'
import { ChoiceField } from './choice-field.tsx'
import { ChoicesField } from './choices-field.tsx'
import { FieldFrame, type FieldProps, type Frame } from './field-frame.tsx'
import { JsonField } from './json-field.tsx'
import { NumberField } from './number-field.tsx'
import { ObjectField } from './object-field.tsx'
import { TextField } from './text-field.tsx'
import { UnionField } from './union-field.tsx'

/** A field with its name, what is wrong with it, and the ways to leave it out, make it null or write JSON. */
export function Field({ node, frame = 'full' }: FieldProps): ReactElement {
  const [isJson, setIsJson] = useState(false)
  const { touch } = useForm()
  const shown: FormNode = isJson && node.kind !== 'json' ? asJson(node) : node
  return (
    <FieldFrame
      node={shown}
      frame={frame}
      isJson={isJson}
      canBeJson={node.kind !== 'json'}
      onJson={() => setIsJson(!isJson)}
      onBlur={() => touch(toPointer(node.path))}
    >
      <FieldInput node={shown} frame={frame} />
    </FieldFrame>
  )
}

function FieldInput({ node, frame }: { readonly node: FormNode; readonly frame: Frame }) {
  switch (node.kind) {
    case 'object':
      return <ObjectField node={node} isTop={frame === 'none' || frame === 'inner'} Field={Field} />
    case 'array':
      return <ArrayField node={node} Field={Field} />
    case 'union':
      return <UnionField node={node} Field={Field} />
    case 'text':
      return <TextField node={node} />
    case 'number':
      return <NumberField node={node} />
    case 'boolean':
      return <BooleanField node={node} />
    case 'choice':
      return <ChoiceField node={node} />
    case 'choices':
      return <ChoicesField node={node} />
    case 'json':
      return <JsonField node={node} />
  }
}

function asJson(node: Exclude<FormNode, { kind: 'json' }>): FormNode {
  return { ...node, kind: 'json', value: readForm(node), reason: 'any' }
}
