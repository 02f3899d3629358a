import { Button, Loader } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Empty, ProblemNote, useIsNarrow } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import { go, useAddress, type Address } from '../address.ts'
import { useAsked } from '../ask.ts'
import { facetNames } from '../facets.ts'
import { FacetList } from './facet-list.tsx'
import { readResults, type Results } from './read-results.ts'
import { ResultList } from './result-list.tsx'
import { SearchField } from './search-field.tsx'

const pageSize = 20
/** What the registry gives at most. */
const maxResults = 100
/** Who types fast asks once. */
const typingMs = 150

/** What was found, and what it can be narrowed down by. */
export function SearchView(): ReactElement {
  const address = useAddress()
  const [text] = useDebouncedValue(address.text, typingMs)
  const [limit, setLimit] = useState(pageSize)
  const path = pathOf({ ...address, text }, limit)
  const { value, problem, isLoading, retry } = useAsked(path, readResults)
  useEffect(() => {
    document.title = text === '' ? 'Parley Registry' : `${text} · Parley Registry`
  }, [text])
  useEffect(() => setLimit(pageSize), [text, address.facets])

  return (
    <div className="home-view">
      <div className="home-head">
        <h1>Find an MCP server</h1>
        <p className="quiet">
          Servers that publishers have put here, with who they are and how to install them.
        </p>
        <SearchField />
      </div>
      {problem !== undefined ? (
        <ProblemNote problem={problem} title="The search failed" retry={retry} />
      ) : value === undefined ? (
        <div className="row quiet" role="status">
          <Loader size={14} /> Searching…
        </div>
      ) : (
        <Found
          address={address}
          value={value}
          isLoading={isLoading}
          onMore={() => setLimit(Math.min(maxResults, limit + pageSize))}
        />
      )}
    </div>
  )
}

function Found({
  address,
  value,
  isLoading,
  onMore,
}: {
  readonly address: Address
  readonly value: Results
  readonly isLoading: boolean
  readonly onMore: () => void
}): ReactElement {
  const isNarrow = useIsNarrow()
  const facets = <FacetList counts={value.facets} />
  return (
    <div className="search-view" aria-busy={isLoading}>
      {isNarrow ? (
        <details className="facets">
          <summary>Narrow down</summary>
          {facets}
        </details>
      ) : (
        <aside className="facets" aria-label="Narrow down" data-pane tabIndex={-1}>
          {facets}
        </aside>
      )}
      <section className="found" aria-label="Results" data-pane tabIndex={-1}>
        <p className="found-count quiet" role="status">
          {describe(value)}
        </p>
        {value.entries.length === 0 ? (
          <NothingFound address={address} />
        ) : (
          <ResultList entries={value.entries} />
        )}
        {value.entries.length < Math.min(value.total, maxResults) && (
          <Button variant="default" className="self-start" loading={isLoading} onClick={onMore}>
            Show more
          </Button>
        )}
      </section>
    </div>
  )
}

function NothingFound({ address }: { readonly address: Address }): ReactElement {
  const { text, facets } = address
  const isNarrowed = facetNames.some((name) => facets[name] !== undefined)
  if (text === '' && !isNarrowed) {
    return (
      <Empty icon="inbox" title="No servers yet">
        Publish the first one: <code className="code-inline">parley registry publish</code>
      </Empty>
    )
  }
  return (
    <Empty
      icon="search"
      title="No server matches"
      action={
        <Button variant="default" onClick={() => go({ text: '', facets: {} })}>
          Show all servers
        </Button>
      }
    >
      Every word must be in the name, the title, the description or a package, or begin a word
      there.
    </Empty>
  )
}

function describe({ total, hasMore }: Results): string {
  if (hasMore) return `More than ${total} servers: the newest of them are ranked`
  return total === 1 ? '1 server' : `${total} servers`
}

function pathOf({ text, facets }: Address, limit: number): string {
  const query = new URLSearchParams({ limit: String(limit) })
  if (text.trim() !== '') query.set('q', text)
  for (const name of facetNames) {
    const value = facets[name]
    if (value !== undefined) query.set(name, value)
  }
  return `x/search?${query.toString()}`
}
