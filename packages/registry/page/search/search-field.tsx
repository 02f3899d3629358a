import { ActionIcon, TextInput } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import type { KeyboardEvent, ReactElement } from 'react'

import { go, useAddress } from '../address.ts'
import { focusResult } from './result-list.tsx'

const fieldId = 'search'

/** Puts the cursor into the field, wherever one is. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>(`#${fieldId}`)?.select()
}

/** Words to look for; the results follow while they are typed. */
export function SearchField(): ReactElement {
  const { text, server, view } = useAddress()
  const isElsewhere = server !== undefined || view !== undefined
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && text !== '') {
      event.preventDefault()
      go({ text: '' }, 'replace')
    }
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    event.preventDefault()
    if (isElsewhere) go({ server: undefined, view: undefined })
    else focusResult(0)
  }
  return (
    <TextInput
      id={fieldId}
      className="registry-search"
      type="search"
      role="searchbox"
      aria-label="Search servers"
      placeholder="Search servers"
      value={text}
      maxLength={200}
      spellCheck={false}
      autoComplete="off"
      leftSection={<Icon name="search" size={14} />}
      rightSection={
        text !== '' && (
          <ActionIcon
            size={22}
            aria-label="Clear the search"
            onClick={() => {
              go({ text: '' }, 'replace')
              focusSearch()
            }}
          >
            <Icon name="cross" size={12} />
          </ActionIcon>
        )
      }
      onKeyDown={onKeyDown}
      onChange={(event) => {
        // From an entry, typing leads back to the list; the way back leads to the entry.
        const how = isElsewhere ? 'push' : 'replace'
        go({ text: event.currentTarget.value, server: undefined, view: undefined }, how)
      }}
    />
  )
}
