import { TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'

import { Icon } from '../icons.tsx'
import { findKey, listKeys, type KeyOf } from '../shell/key-table.ts'

/** One row. */
export interface PickItem {
  readonly id: string
  /** What the search looks in. */
  readonly text: string
  readonly node: ReactNode
}

/** How far each key of a list goes. */
const steps: Readonly<Record<Exclude<KeyOf<typeof listKeys, 'list'>, 'open'>, number>> = {
  down: 1,
  up: -1,
  farDown: 10,
  farUp: -10,
  first: -Infinity,
  last: Infinity,
}

export interface PickListProps {
  readonly label: string
  readonly items: readonly PickItem[]
  readonly picked: string | undefined
  readonly onPick: (id: string) => void
  readonly rowHeight: number
  /** Several that are chosen besides the one that is picked, with Space, `Ctrl` and a click, or the box. */
  readonly chosen?: ReadonlySet<string> | undefined
  readonly onChoose?: ((id: string) => void) | undefined
  /** Beside the search field. */
  readonly action?: ReactNode
  /** Below the search field. */
  readonly header?: ReactNode
  readonly empty: ReactNode
}

/**
 * A list to pick from, of any length: a search field, arrows or `j` and `k` to move, and only the rows in sight drawn.
 */
export function PickList(props: PickListProps): ReactElement {
  const { label, items, picked, onPick, rowHeight, chosen, onChoose, action, header, empty } = props
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = items.filter(({ text }) => {
    const lower = text.toLowerCase()
    return words.every((word) => lower.includes(word))
  })
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const at = found.findIndex(({ id }) => id === picked)

  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at)
    // Only when another one is picked: the user may scroll away from it.
  }, [picked])

  function move(step: number) {
    const next = found[Math.min(found.length - 1, Math.max(0, at + step))]
    if (next) onPick(next.id)
  }

  /** Picks the first where none is, and goes to what is shown of it. */
  function open(list: Element) {
    // At once: what is typed next is meant for it.
    if (at < 0) flushSync(() => move(1))
    focusAfter(list)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || isControl(event.target)) return
    const isField = event.target instanceof HTMLInputElement
    // Letters are the page's, which can be switched off; a field types them, and has its own ends.
    const key = event.key.length === 1 ? undefined : findKey(listKeys, event, 'list')
    const step = key === undefined || key === 'open' ? undefined : steps[key]
    const isEdge = step === Infinity || step === -Infinity
    if (step !== undefined && !(isEdge && isField)) move(at < 0 && step < 0 ? 0 : step)
    else if (key === 'open') open(event.currentTarget)
    else if (event.key === ' ' && !isField && chosen && picked !== undefined) onChoose?.(picked)
    else if (event.key === 'Escape' && isField && search !== '') setSearch('')
    else return
    event.preventDefault()
  }

  return (
    <div className="pick-list" onKeyDown={onKeyDown}>
      <div className="pick-list-head">
        <TextInput
          className="grow"
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder={`Search ${label.toLowerCase()}`}
          value={search}
          data-search
          onChange={(event) => setSearch(event.currentTarget.value)}
          leftSection={<Icon name="search" size={14} />}
          rightSection={
            <span className="count" aria-hidden="true">
              {search === '' ? items.length : `${found.length}/${items.length}`}
            </span>
          }
          rightSectionWidth={52}
        />
        {action}
      </div>
      {header}
      {found.length === 0 &&
        (items.length === 0 ? empty : <p className="quiet pad">Nothing matches.</p>)}
      <div
        ref={scroller}
        className="pick-list-rows"
        role="listbox"
        aria-label={label}
        tabIndex={0}
        data-list
        {...(chosen && { 'aria-multiselectable': true })}
        {...(at >= 0 && { 'aria-activedescendant': rowId(label, at) })}
        onFocus={(event) => {
          // By the keyboard only: a pointer is about to pick a row itself.
          if (at < 0 && event.currentTarget.matches(':focus-visible')) move(1)
        }}
      >
        <div
          className="pick-list-space"
          role="presentation"
          style={{ height: rows.getTotalSize() }}
        >
          {rows.getVirtualItems().map(({ index, start, size }) => {
            const item = found[index]
            if (!item) return null
            return (
              // The list itself takes the keys; a row only takes the pointer.
              <div
                key={item.id}
                id={rowId(label, index)}
                className="pick-row"
                role="option"
                aria-selected={item.id === picked}
                {...(chosen && { 'aria-checked': chosen.has(item.id) })}
                aria-setsize={found.length}
                aria-posinset={index + 1}
                style={{ height: size, transform: `translateY(${start}px)` }}
                onClick={({ ctrlKey, metaKey, target }) => {
                  const isBox = target instanceof Element && target.closest('.pick-box') !== null
                  if (chosen && (ctrlKey || metaKey || isBox)) onChoose?.(item.id)
                  else onPick(item.id)
                }}
              >
                {chosen && (
                  <span className="pick-box" aria-hidden="true">
                    {chosen.has(item.id) && <Icon name="check" size={12} />}
                  </span>
                )}
                {item.node}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Whether it has keys of its own: a button or a choice beside the list. */
function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('button, [type=radio]') !== null
}

/** The first field of the next part of the page, or its first button. */
function focusAfter(list: Element) {
  const panes = [...document.querySelectorAll('[data-pane]')].filter(
    (pane) => pane.querySelector('[data-pane]') === null,
  )
  const own = list.isConnected ? panes.findIndex((pane) => pane.contains(list)) : -1
  const next = panes[own + 1]
  const fields = 'input:not([type=radio]):not([type=checkbox]), textarea, [contenteditable=true]'
  const target =
    next?.querySelector<HTMLElement>(`.column-scroll :is(${fields}), form :is(${fields})`) ??
    next?.querySelector<HTMLElement>('[data-run], button')
  target?.focus()
}

function rowId(label: string, index: number): string {
  return `${label.toLowerCase().replaceAll(/\W+/g, '-')}-row-${index}`
}
