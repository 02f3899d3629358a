import { showHidden, Tag } from '@parley/page/parts'
import type { KeyboardEvent, ReactElement } from 'react'

import { AddressLink } from '../address-link.tsx'
import { Day } from '../day.tsx'
import { EntryIcon } from '../entry-icon.tsx'
import type { Entry } from '../read-entry.ts'
import { StatusTag } from '../status-tag.tsx'

/** What was found, each a link; arrows, or `j` and `k`, go from one to the next. */
export function ResultList({ entries }: { readonly entries: readonly Entry[] }): ReactElement {
  return (
    <ol className="results" aria-label="Servers" data-list tabIndex={-1} onKeyDown={onKeyDown}>
      {entries.map((entry) => (
        <li key={entry.name}>
          <AddressLink
            className="result"
            to={{ server: entry.name, version: undefined, compare: undefined }}
          >
            <Result entry={entry} />
          </AddressLink>
        </li>
      ))}
    </ol>
  )
}

function Result({ entry }: { readonly entry: Entry }): ReactElement {
  const { name, title, version, description, packages, remotes, updatedAt } = entry
  const kinds = [...new Set(packages.map(({ kind }) => kind))].slice(0, 5)
  return (
    <>
      <EntryIcon entry={entry} />
      <span className="result-body">
        <span className="result-title">
          <strong className="wrap">{showHidden(title ?? name)}</strong>
          <StatusTag entry={entry} />
        </span>
        <span className="result-name wrap">
          {title !== undefined && <span className="mono">{showHidden(name)} </span>}
          <span>{showHidden(version)}</span>
          {updatedAt !== undefined && (
            <span>
              {' '}
              · updated <Day at={updatedAt} />
            </span>
          )}
        </span>
        <span className="result-text wrap">{showHidden(description)}</span>
        {(kinds.length > 0 || remotes.length > 0) && (
          <span className="row wrap-row">
            {kinds.map((kind) => (
              <Tag key={kind}>{showHidden(kind)}</Tag>
            ))}
            {remotes.length > 0 && <Tag icon="globe">remote</Tag>}
          </span>
        )}
      </span>
    </>
  )
}

/** Puts the focus on a result, counted from the first; before it stands the search. */
export function focusResult(index: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('.results a')]
  if (index < 0) document.querySelector<HTMLElement>('#search')?.focus()
  else links[Math.min(index, links.length - 1)]?.focus()
}

function onKeyDown(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const links = [...document.querySelectorAll<HTMLElement>('.results a')]
  const at = links.findIndex((link) => link === document.activeElement)
  if (event.key === 'ArrowDown') focusResult(at + 1)
  else if (event.key === 'ArrowUp') focusResult(at - 1)
  else if (event.key === 'Home') focusResult(0)
  else if (event.key === 'End') focusResult(links.length - 1)
  else return
  event.preventDefault()
  event.stopPropagation()
}
