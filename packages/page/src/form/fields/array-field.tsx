import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { ArrayNode, FormNode } from '@parley/foundation/forms'
import { useEffect, useRef, type KeyboardEvent, type ReactElement } from 'react'

import { Icon } from '../../icons.tsx'
import { announce } from '../../parts/announce.ts'
import { useForm } from '../form-context.ts'
import type { NestsFields } from './field-frame.tsx'

/** Items to add, take out and move; `Alt` with the arrow keys moves the one that has the focus. */
export function ArrayField({
  node,
  Field,
}: NestsFields & { readonly node: ArrayNode }): ReactElement {
  const { change, readOnly } = useForm()
  const list = useRef<HTMLOListElement>(null)
  const focusAt = useRef<number>(undefined)
  const { length } = node.items

  useEffect(() => {
    const index = focusAt.current
    focusAt.current = undefined
    if (index === undefined) return
    const item = list.current?.children[index]
    const field = item?.querySelector<HTMLElement>('input, textarea, [contenteditable=true]')
    const target = field ?? item?.querySelector<HTMLElement>('button')
    target?.focus()
  })

  const move = (from: number, to: number) => {
    if (to < 0 || to >= length) return
    focusAt.current = to
    change([...node.path, from], { kind: 'move', to })
    announce(`Item ${from + 1} is now item ${to + 1} of ${length}`)
  }
  const remove = (index: number) => {
    focusAt.current = Math.max(0, index - 1)
    change([...node.path, index], { kind: 'remove' })
    announce(`Item ${index + 1} removed, ${length - 1} left`)
  }
  const add = () => {
    focusAt.current = length
    change([...node.path, length], { kind: 'insert', value: node.startItem(length) })
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    event.stopPropagation()
    move(index, event.key === 'ArrowUp' ? index - 1 : index + 1)
  }

  return (
    <div className="array">
      {length > 0 && (
        <ol ref={list} className="items">
          {node.items.map((item, index) => (
            <li key={index} className="item" onKeyDown={(event) => onKeyDown(event, index)}>
              <div className="item-number">{index + 1}</div>
              <div className="grow">
                <Field node={named(item, node.label, index)} frame="inline" />
              </div>
              {!readOnly && (
                <ItemButtons
                  name={`item ${index + 1} of ${node.label}`}
                  onUp={index === 0 ? undefined : () => move(index, index - 1)}
                  onDown={index === length - 1 ? undefined : () => move(index, index + 1)}
                  onRemove={() => remove(index)}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {!readOnly && (
        <div className="row">
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<Icon name="plus" size={12} />}
            onClick={add}
          >
            Add item
          </Button>
          {!node.canAdd && length > 0 && <span className="quiet">The schema allows no more.</span>}
          {node.presence === 'absent' && !node.required && <span className="quiet">left out</span>}
        </div>
      )}
    </div>
  )
}

interface ItemButtonsProps {
  readonly name: string
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
  readonly onRemove: () => void
}

function ItemButtons({ name, onUp, onDown, onRemove }: ItemButtonsProps): ReactElement {
  return (
    <div className="item-buttons">
      <Tooltip label="Move up (Alt ↑)">
        <ActionIcon size={22} aria-label={`Move ${name} up`} disabled={!onUp} onClick={onUp}>
          <Icon name="chevronUp" size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Move down (Alt ↓)">
        <ActionIcon size={22} aria-label={`Move ${name} down`} disabled={!onDown} onClick={onDown}>
          <Icon name="chevronDown" size={14} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Remove">
        <ActionIcon size={22} aria-label={`Remove ${name}`} onClick={onRemove}>
          <Icon name="trash" size={14} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}

/** An item has no name of its own; the list's and its number are it. */
function named(item: FormNode, list: string, index: number): FormNode {
  return item.label === `${index + 1}` ? { ...item, label: `${list} ${index + 1}` } : item
}
