import { ActionIcon, TextInput } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import type { KeyboardEvent, ReactElement } from 'react'

import { go, useAddress } from '../address.ts'
import { focusResult } from './result-list.tsx'

const fieldId = 'search'

/** Puts the cursor into the field; from an entry it leads to the search first. */
export function focusSearch(): void {
  const { server, view } = useAddress.getState()
  if (server !== undefined || view !== undefined) go({ server: undefined, view: undefined })
  setTimeout(() => document.querySelector<HTMLInputElement>(`#${fieldId}`)?.select())
}

/** Words to look for; the results follow while they are typed. `all` says how many servers there are. */
export function SearchField({ all }: { readonly all: string | undefined }): ReactElement {
  const text = useAddress((address) => address.text)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && text !== '') {
      event.preventDefault()
      go({ text: '' }, 'replace')
    }
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
    event.preventDefault()
    focusResult(0)
  }
  return (
    <TextInput
      id={fieldId}
      className="registry-search"
      type="search"
      role="searchbox"
      aria-label="Search servers"
      placeholder={`Search ${all ?? ''} servers`.replace('  ', ' ')}
      value={text}
      maxLength={200}
      spellCheck={false}
      autoComplete="off"
      size="md"
      leftSection={<Icon name="search" size={18} />}
      rightSection={
        text === '' ? (
          <kbd className="keys wide-only">/</kbd>
        ) : (
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
      onChange={(event) => go({ text: event.currentTarget.value }, 'replace')}
    />
  )
}
