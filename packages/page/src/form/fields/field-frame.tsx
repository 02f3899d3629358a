import type { FormNode } from '@parley/foundation/forms'
import type { ReactElement, ReactNode } from 'react'

import { Icon } from '../../icons.tsx'
import { Tag } from '../../parts/tag.tsx'
import { CappedText } from '../../parts/text/capped-text.tsx'
import { useForm } from '../form-context.ts'
import { StateMenu } from '../state-menu.tsx'
import { defaultHint } from './default-hint.ts'
import { NamedContext, useDescribed, useFieldIds, useIssues } from './field-ids.ts'

/** `full`: name and all; `inline`: no name, an item of a list; `none`: only mistakes; `inner`: not even those. */
export type Frame = 'full' | 'inline' | 'none' | 'inner'

export interface FieldProps {
  readonly node: FormNode
  /** `none`: what is around the field already names it. @defaultValue `full` */
  readonly frame?: Frame
}

/** How an object, an array or a union shows the fields inside it: given as a property, so that they need not import it. */
export interface NestsFields {
  readonly Field: (props: FieldProps) => ReactElement
}

export interface FieldFrameProps {
  readonly node: FormNode
  readonly frame: Frame
  readonly isJson: boolean
  readonly canBeJson: boolean
  readonly onJson: () => void
  readonly onBlur: () => void
  readonly children: ReactNode
}

/** The name of a field, what it is for, its input, and what is wrong with it. */
export function FieldFrame(props: FieldFrameProps): ReactElement {
  const { node, frame, children, onBlur } = props
  const ids = useFieldIds(node)
  const issues = useIssues(node)
  useDescribed(node)
  const { readOnly } = useForm()
  const isInner = frame === 'inner'
  const isGroup = node.kind === 'object' || node.kind === 'array' || node.kind === 'union'
  return (
    <div
      className="field"
      data-kind={node.kind}
      data-frame={frame}
      data-presence={node.presence}
      onBlur={onBlur}
      {...(isGroup && frame === 'full' && { role: 'group', 'aria-labelledby': ids.label })}
    >
      {frame === 'full' && (
        <div className="field-head">
          <FieldName node={node} isGroup={isGroup} />
          <span className="grow" />
          {!readOnly && <StateMenu {...props} />}
        </div>
      )}
      {node.description !== undefined && (frame === 'full' || node.path.length > 0) && (
        <div className="field-text" id={ids.text}>
          <CappedText text={node.description} limit={400} className="prose" />
        </div>
      )}
      {node.presence === 'null' ? (
        <NullBox node={node} />
      ) : (
        <NamedContext value={frame === 'full'}>{children}</NamedContext>
      )}
      {frame === 'inline' && !readOnly && (
        <div className="field-corner">
          <StateMenu {...props} />
        </div>
      )}
      {issues.length > 0 && !isInner && (
        <div className="field-error" id={ids.error}>
          <Icon name="alert" size={13} /> {issues.join('; ')}
        </div>
      )}
      {hasHint(node) && !isInner && <div className="field-note">{defaultHint(node)}</div>}
      {node.notes.length > 0 && frame !== 'none' && !isInner && (
        <div className="field-note">{node.notes.slice(0, 3).join('; ')}</div>
      )}
    </div>
  )
}

/** Fields with a place for it say their default there. */
function hasHint({ kind, presence, default: defaultValue }: FormNode): boolean {
  const isBare = kind === 'choices' || kind === 'array' || kind === 'object' || kind === 'json'
  return isBare && presence === 'absent' && defaultValue !== undefined
}

function FieldName({ node, isGroup }: { readonly node: FormNode; readonly isGroup: boolean }) {
  const ids = useFieldIds(node)
  const name = String(node.path.at(-1) ?? '')
  const text = (
    <>
      {node.label}
      {node.required && (
        <span className="field-required" title="required" aria-hidden="true">
          {' '}
          *
        </span>
      )}
      {node.required && isGroup && <span className="visually-hidden"> (required)</span>}
    </>
  )
  return (
    <>
      {isGroup || node.kind === 'choices' || node.kind === 'boolean' || node.kind === 'json' ? (
        <span className="field-name" id={ids.label}>
          {text}
        </span>
      ) : (
        <label className="field-name" id={ids.label} htmlFor={ids.input}>
          {text}
        </label>
      )}
      {name !== node.label && <code className="field-key">{name}</code>}
      <span className="field-type">
        {typeWords(node)}
        {node.nullable && ' or null'}
      </span>
      {node.deprecated && <Tag tone="warning">deprecated</Tag>}
      {node.readOnly && <Tag>set by the server</Tag>}
    </>
  )
}

function NullBox({ node }: { readonly node: FormNode }): ReactElement {
  const { change, readOnly } = useForm()
  return (
    <div className="null-box">
      <code>null</code>
      <span className="grow" />
      {!readOnly && (
        <button
          type="button"
          className="link-button"
          onClick={() => change(node.path, { kind: 'set', value: node.start() })}
        >
          Give a value
        </button>
      )}
    </div>
  )
}

function typeWords(node: FormNode): string {
  switch (node.kind) {
    case 'text':
      return node.format ?? 'text'
    case 'number':
      return node.isInteger ? 'whole number' : 'number'
    case 'boolean':
      return 'yes or no'
    case 'choice':
    case 'choices':
      return node.kind === 'choice' ? 'one of' : 'some of'
    case 'array':
      return node.items.length === 1 ? 'list, 1 item' : `list, ${node.items.length} items`
    case 'object':
      return 'object'
    case 'union':
      return 'one of several shapes'
    case 'json':
      return 'JSON'
  }
}
