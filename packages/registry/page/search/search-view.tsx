import { Button, Loader, NativeSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createLoadable, Empty, Loaded, ProblemNote, useIsNarrow } from '@parley/page/parts'
import { useEffect, useState, type ReactElement, type ReactNode } from 'react'

import { go, sorts, useAddress, type Address, type Sort } from '../address.ts'
import { useAsked } from '../ask.ts'
import { facetNames } from '../facets.ts'
import { FacetList } from './facet-list.tsx'
import { readResults, type Results } from './read-results.ts'
import { ResultList } from './result-list.tsx'
import { SearchField } from './search-field.tsx'

const pageSize = 20
/** What the registry gives at most. */
const maxResults = 100
const publishSteps = createLoadable(
  async () => (await import('../publish-dialog.tsx')).PublishSteps,
)
const sortLabels: Readonly<Record<Sort, string>> = {
  best: 'Best match',
  newest: 'Newest',
  name: 'Name',
}
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
  const [all, setAll] = useState<string>()
  const isWhole = text.trim() === '' && !isNarrowed(address)
  useEffect(() => {
    if (isWhole && !isLoading && value !== undefined) setAll(count(value))
  }, [isWhole, isLoading, value])

  return (
    <div className="home-view">
      <div className="home-head">
        <h1>Find MCP servers</h1>
        <p className="quiet">
          Tools for your model, from publishers you can check. Every entry installs with one
          command.
        </p>
        <SearchField all={all} />
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
        <div className="row found-head">
          <p className="quiet grow" role="status">
            {describe(value)}
          </p>
          {value.entries.length > 1 && <SortPick address={address} />}
        </div>
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
  if (address.text === '' && !isNarrowed(address)) {
    return (
      <Empty icon="inbox" title="No servers yet">
        <p>Publish the first one, with three commands:</p>
        <Loaded part={publishSteps} name="The commands" isQuiet>
          {(PublishSteps) => <PublishSteps />}
        </Loaded>
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

function SortPick({ address: { text, sort } }: { readonly address: Address }): ReactNode {
  const isSearch = text.trim() !== ''
  const offered = sorts.filter((one) => isSearch || one !== 'best')
  const first = isSearch ? 'best' : 'newest'
  return (
    <NativeSelect
      size="xs"
      aria-label="Order"
      value={sort ?? first}
      data={offered.map((value) => ({ value, label: sortLabels[value] }))}
      onChange={({ currentTarget: { value } }) => {
        const picked = sorts.find((one) => one === value)
        go({ sort: picked === first ? undefined : picked }, 'replace')
      }}
    />
  )
}

function isNarrowed({ facets }: Address): boolean {
  return facetNames.some((name) => facets[name] !== undefined)
}

function count({ total, hasMore }: Results): string {
  return `${total.toLocaleString('en')}${hasMore ? '+' : ''}`
}

function describe({ total, hasMore }: Results): string {
  if (hasMore) return `More than ${total} servers: the newest of them are ranked`
  return total === 1 ? '1 server' : `${total.toLocaleString('en')} servers`
}

function pathOf({ text, facets, sort }: Address, limit: number): string {
  const query = new URLSearchParams({ limit: String(limit) })
  if (text.trim() !== '') query.set('q', text)
  if (sort !== undefined) query.set('sort', sort)
  for (const name of facetNames) {
    const value = facets[name]
    if (value !== undefined) query.set(name, value)
  }
  return `x/search?${query.toString()}`
}
