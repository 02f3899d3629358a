import { Loader, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { CatalogueFound, CatalogueItem } from '@parley/foundation/catalogue'
import type { Problem } from '@parley/foundation/channel'
import { showHidden } from '@parley/foundation/text-safety'

import './browse.css'
import { useEffect, useState, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { ProblemNote, problemOf } from '../parts/problem.tsx'
import type { BrowseRegistryProps, BrowseSource } from './browse-source.ts'
import { ItemTags } from './item-tags.tsx'
import { RegistryEntry } from './registry-entry.tsx'

/** Finds a server in a registry, and adds it with answers to its questions. The service asks the registry, never the page. */
export function BrowseRegistry(props: BrowseRegistryProps): ReactElement {
  const [text, setText] = useState('')
  const [registry, setRegistry] = useState('')
  const [picked, setPicked] = useState<CatalogueItem>()
  const named = /^https?:\/\/./.test(registry.trim()) ? registry.trim() : undefined
  const { found, problem, isLoading, retry } = useSearch(props.source, text, named)

  if (picked) {
    return (
      <RegistryEntry
        key={`${picked.name} ${picked.version}`}
        {...props}
        item={picked}
        registry={named}
        onBack={() => setPicked(undefined)}
      />
    )
  }
  return (
    <div className="stack" role="group" aria-label="Servers of a registry">
      <TextInput
        label="Search"
        placeholder="weather"
        type="search"
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.currentTarget.value)}
        // The form around it adds nothing yet.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        leftSection={<Icon name="search" size={14} />}
        rightSection={isLoading && <Loader size={14} />}
        data-autofocus
      />
      <TextInput
        label="Registry"
        placeholder={found?.registry ?? 'the one that parley search asks'}
        value={registry}
        onChange={(event) => setRegistry(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        error={
          registry.trim() !== '' &&
          named === undefined &&
          'An address begins with https:// or http://'
        }
        classNames={{ input: 'mono' }}
      />
      {problem !== undefined && (
        <ProblemNote problem={problem} title="The registry could not be searched" retry={retry} />
      )}
      {found !== undefined && problem === undefined && (
        <>
          <p className="quiet" role="status">
            {describe(found, text)}
          </p>
          <ul className="registry-items" aria-label="Servers found">
            {found.items.map((item) => (
              <li key={item.name}>
                <button type="button" onClick={() => setPicked(item)}>
                  <span className="row wrap-row">
                    <strong className="wrap">{showHidden(item.title ?? item.name)}</strong>
                    <span className="mono quiet wrap">
                      {showHidden(item.name)} {showHidden(item.version)}
                    </span>
                    <ItemTags item={item} />
                  </span>
                  <span className="wrap">{showHidden(item.description)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

function describe({ items, registry }: CatalogueFound, text: string): string {
  if (text.trim() === '') return `From ${registry}. Type to search all of it.`
  if (items.length === 0) {
    return 'No server matches. Every word must be in its name or description.'
  }
  return `${items.length} ${items.length === 1 ? 'server' : 'servers'} of ${registry}`
}

function useSearch(source: BrowseSource, text: string, registry: string | undefined) {
  const [asked] = useDebouncedValue(`${registry ?? ''}\n${text.trim()}`, 250)
  const [state, setState] = useState<{ of?: string; found?: CatalogueFound; problem?: Problem }>({})
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isOver = false
    const [address = '', words = ''] = asked.split('\n')
    source.search({ text: words, ...(address !== '' && { registry: address }) }).then(
      (found) => !isOver && setState({ of: asked, found }),
      (error: unknown) => !isOver && setState({ of: asked, problem: problemOf(error) }),
    )
    return () => {
      isOver = true
    }
  }, [source, asked, round])
  return {
    found: state.found,
    problem: state.problem,
    isLoading: state.of !== asked,
    retry: () => setRound((count) => count + 1),
  }
}
