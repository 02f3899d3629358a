import { Icon, type IconName } from '@parley/page/icons'
import { useEffect, useRef, type ReactElement } from 'react'

import { visible } from '../visible.ts'
import type { Suggestion } from './suggestions.ts'

const icons: Readonly<Record<Suggestion['kind'], IconName>> = {
  prompt: 'message',
  resource: 'file',
  template: 'link',
  tool: 'wrench',
}

/** What was found for `/` or `@`; the keys are those of the field. */
export function SuggestionList(props: {
  readonly id: string
  readonly offered: readonly Suggestion[]
  readonly active: number
  readonly onPick: (suggestion: Suggestion) => void
}): ReactElement {
  const { id, offered, active, onPick } = props
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <ul className="suggestions" role="listbox" id={id} aria-label="Suggestions" ref={list}>
      {offered.map((suggestion, at) => (
        <li
          key={suggestion.id}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          className="suggestion"
          // Before the field loses the focus, which would close the list.
          onMouseDown={(event) => {
            event.preventDefault()
            onPick(suggestion)
          }}
        >
          <Icon name={icons[suggestion.kind]} size={14} />
          <strong className="cut">{visible(suggestion.label)}</strong>
          <span className="quiet cut grow">{visible(suggestion.detail)}</span>
        </li>
      ))}
    </ul>
  )
}
