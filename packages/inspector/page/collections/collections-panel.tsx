import './collections.css'
import { BackButton, Columns, Empty, useIsNarrow } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import { useStore } from '../store.ts'
import { CollectionView, NewCollection } from './collection-view.tsx'

/** Saved requests, what their answers must be, and how they went. */
export function CollectionsPanel(): ReactElement {
  const collections = useStore((store) => store.collections)
  const [picked, setPicked] = useState<string>()
  const isNarrow = useIsNarrow()
  const shown =
    collections.find(({ name }) => name === picked) ?? (isNarrow ? undefined : collections[0])
  const list = (
    <div className="collection-list">
      <NewCollection onMade={setPicked} />
      <ul>
        {collections.map(({ name, requests }) => (
          <li key={name}>
            <button
              type="button"
              aria-current={name === shown?.name || undefined}
              onClick={() => setPicked(name)}
            >
              <strong className="cut">{name}</strong>
              <span className="quiet">
                {requests.length === 1 ? '1 request' : `${requests.length} requests`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
  const detail = shown ? (
    <CollectionView key={shown.name} collection={shown} />
  ) : (
    <Empty icon="bookmark" title="No collection yet">
      A collection holds requests with their expected answers, and runs them all with one click.
    </Empty>
  )
  if (isNarrow) {
    return (
      <section className="column narrow-detail" data-pane aria-label="Collections" tabIndex={-1}>
        {shown ? (
          <>
            <BackButton label="All collections" onClick={() => setPicked(undefined)} />
            {detail}
          </>
        ) : (
          <>
            {list}
            {collections.length === 0 && detail}
          </>
        )}
      </section>
    )
  }
  return (
    <Columns
      id="collections"
      columns={[
        { id: 'collection-list', label: 'Collections', size: '26%', least: 200, node: list },
        { id: 'collection', label: 'Collection', size: '74%', least: 320, node: detail },
      ]}
    />
  )
}
