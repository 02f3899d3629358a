import { showHidden } from '@parley/page/parts'
import type { KeyboardEvent, ReactElement } from 'react'

import { AddressLink } from '../address-link.tsx'
import { Day } from '../day.tsx'
import { EntryIcon } from '../entry-icon.tsx'
import type { Entry } from '../read-entry.ts'
import { StatusTag } from '../status-tag.tsx'
import { TrustMark } from '../trust.tsx'

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
  const kinds = [
    ...new Set(packages.map(({ kind }) => kind)),
    ...(remotes.length > 0 ? ['remote'] : []),
  ].slice(0, 5)
  return (
    <>
      <EntryIcon entry={entry} size={40} />
      <span className="result-body">
        <span className="result-title">
          <strong className="cut">{showHidden(title ?? name)}</strong>
          <span className="result-version">{showHidden(version)}</span>
          <StatusTag entry={entry} />
          <span className="grow" />
          <TrustMark entry={entry} isShort />
        </span>
        <span className="wrap">{showHidden(description)}</span>
        <span className="result-about">
          <span className="mono wrap">{showHidden(name)}</span>
          {kinds.length > 0 && <span>{showHidden(kinds.join(', '))}</span>}
          {updatedAt !== undefined && <Day at={updatedAt} />}
        </span>
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
