import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import { readForm, type FormNode, type ObjectNode } from '@parley/foundation/forms'
import { useState, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import { useForm } from '../form-context.ts'
import type { NestsFields } from './field-frame.tsx'

/** The members of an object, and a way to add those the schema does not name. */
export function ObjectField(
  props: NestsFields & { readonly node: ObjectNode; readonly isTop: boolean },
): ReactElement {
  const { node, isTop, Field } = props
  const { change, readOnly, none } = useForm()
  const { path } = node
  const isEmpty = node.members.length === 0 && node.extras.length === 0
  const isBare = node.more === 'closed' || (node.more === 'free' && path.length === 0)
  if (node.presence === 'absent' && isEmpty && node.path.length > 0) {
    return readOnly ? (
      <span className="quiet">left out</span>
    ) : (
      <div>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="plus" size={12} />}
          onClick={() => change(node.path, { kind: 'set', value: node.start() })}
        >
          Add {node.label}
        </Button>
      </div>
    )
  }
  return (
    <div className="object" data-top={isTop || undefined}>
      {node.members.map((member) => (
        <Field key={String(member.path.at(-1))} node={member} />
      ))}
      {node.extras.map((member) => (
        <ExtraField key={String(member.path.at(-1))} node={member} Field={Field} />
      ))}
      {isEmpty && isBare && (
        <span className="quiet">{path.length === 0 ? none : 'No members.'}</span>
      )}
      {isEmpty && !isBare && readOnly && <span className="quiet">Empty.</span>}
      {node.hidden > 0 && (
        <span className="quiet">
          {node.hidden.toLocaleString('en')} more members are not shown; add them by name.
        </span>
      )}
      {!readOnly && (node.more === 'offered' || node.hidden > 0) && <AddMember node={node} />}
      {!readOnly && node.more === 'free' && path.length > 0 && <AddMember node={node} />}
      {!readOnly && node.more === 'free' && path.length === 0 && (
        <details className="more-members">
          <summary>Send arguments anyway</summary>
          <AddMember node={node} />
        </details>
      )}
    </div>
  )
}

function ExtraField({ node, Field }: NestsFields & { readonly node: FormNode }): ReactElement {
  const { change, readOnly } = useForm()
  const name = String(node.path.at(-1))
  const [draft, setDraft] = useState(name)
  return (
    <div className="extra">
      <div className="row">
        <TextInput
          className="extra-name"
          aria-label={`Name of the member ${name}`}
          value={draft}
          readOnly={readOnly}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={() => {
            if (draft !== name) change(node.path, { kind: 'rename', to: draft })
          }}
        />
        <span className="grow" />
        {!readOnly && (
          <Tooltip label="Remove">
            <ActionIcon
              aria-label={`Remove ${name}`}
              onClick={() => change(node.path, { kind: 'remove' })}
            >
              <Icon name="trash" size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      <Field node={node} frame="inline" />
    </div>
  )
}

function AddMember({ node }: { readonly node: ObjectNode }): ReactElement {
  const { change } = useForm()
  const [name, setName] = useState('')
  const isUsed = [...node.members, ...node.extras].some(
    (member) => String(member.path.at(-1)) === name && readForm(member) !== undefined,
  )
  const add = () => {
    if (name === '' || isUsed) return
    change([...node.path, name], { kind: 'set', value: node.startMember(name) })
    setName('')
  }
  const hint = node.namePatterns.length > 0 ? ` matching ${node.namePatterns.join(' or ')}` : ''
  return (
    <div className="row add-member">
      <TextInput
        className="extra-name"
        aria-label={`Name of a new member of ${node.label}`}
        placeholder={`name${hint}`}
        value={name}
        error={isUsed}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          add()
        }}
      />
      <Button
        variant="default"
        size="compact-sm"
        disabled={name === '' || isUsed}
        leftSection={<Icon name="plus" size={12} />}
        onClick={add}
      >
        Add member
      </Button>
    </div>
  )
}
