import { Button, SegmentedControl } from '@mantine/core'
import { Empty, ListPanel, PickList, useIsNarrow } from '@parley/page/parts'
import { useMemo, useState, type ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { useList } from '../lists.ts'
import { ListActions, ListPaging } from '../parts/list-actions.tsx'
import { ListFrame } from '../parts/list-frame.tsx'
import { pick, usePicked } from '../view.ts'
import { ChosenResources } from './chosen-resources.tsx'
import { buildTree, folderPrefix, readResources, type ResourceItem } from './resource-item.ts'
import { ResourceRow } from './resource-row.tsx'
import { ResourceView } from './resource-view.tsx'
import { TemplateView } from './template-view.tsx'

import './resources.css'

/** The resources and templates of a server: pick one, read it, watch it change. */
export function ResourcesPanel({ server }: { readonly server: ServerView }): ReactElement {
  const { name } = server
  const isNarrow = useIsNarrow()
  const resources = useList(server, 'resources')
  const templates = useList(server, 'templates')
  const picked = usePicked(name, 'resources')
  const [isTree, setIsTree] = useState(false)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const items = useMemo(
    () => readResources(resources.items, templates.items),
    [resources.items, templates.items],
  )
  const rows = isTree ? buildTree(items, closed) : items
  const item = items.find(({ id }) => id === picked)

  /** Resources only: a template has no address yet, and a folder none at all. */
  function onChoose(id: string) {
    if (items.find((candidate) => candidate.id === id)?.kind !== 'resource') return
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }

  function onPick(id: string) {
    if (!id.startsWith(folderPrefix)) {
      pick(name, 'resources', id)
      return
    }
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }

  return (
    <ListFrame server={server} kind="resources" list={resources} icon="file">
      {isNarrow && chosen ? (
        <section className="column" data-pane aria-label="Resources" tabIndex={-1}>
          <div className="half-list">{renderList()}</div>
          {detail()}
        </section>
      ) : (
        <ListPanel
          kind="resources"
          list={{
            id: 'resource-list',
            label: 'List of resources',
            size: '34%',
            least: 200,
            node: renderList(),
          }}
          details={[
            { id: 'resource-view', label: 'Resource', size: '66%', least: 300, node: detail() },
          ]}
          isPicked={picked !== undefined}
          onBack={() => pick(name, 'resources', undefined)}
        />
      )}
    </ListFrame>
  )

  function detail() {
    if (chosen) {
      const all = items.filter(({ kind }) => kind === 'resource').map(({ id }) => id)
      return (
        <ChosenResources
          server={server}
          uris={all.filter((id) => chosen.has(id))}
          onChooseAll={() => setChosen(new Set(all))}
          onClear={() => setChosen(new Set())}
        />
      )
    }
    if (picked === undefined) {
      return (
        <Empty icon="file" title="Pick a resource">
          Its content is shown here. For a template, fill in its variables first.
        </Empty>
      )
    }
    if (item?.kind === 'template') return <TemplateView key={picked} server={server} item={item} />
    return <ResourceView key={picked} server={server} uri={picked} item={item} />
  }

  function renderList() {
    return (
      <PickList
        label="Resources"
        items={rows.map((row) => ({
          id: row.id,
          text: `${row.id} ${row.name} ${row.description ?? ''}`,
          node: <ResourceRow row={row} server={name} />,
        }))}
        picked={picked}
        onPick={onPick}
        chosen={chosen}
        onChoose={onChoose}
        rowHeight={isTree ? 32 : 50}
        action={<ListActions server={name} kind="resources" list={resources} also="templates" />}
        header={
          <>
            <ListPaging server={name} kind="resources" list={resources} />
            <div className="list-modes">
              <SegmentedControl
                aria-label="How to show the resources"
                value={isTree ? 'tree' : 'list'}
                onChange={(mode) => setIsTree(mode === 'tree')}
                data={[
                  { value: 'list', label: 'List' },
                  { value: 'tree', label: 'Tree' },
                ]}
              />
              <Button
                variant={chosen ? 'light' : 'subtle'}
                size="compact-sm"
                aria-pressed={chosen !== undefined}
                onClick={() => setChosen(chosen ? undefined : new Set())}
              >
                Select
              </Button>
              <span className="quiet cut">{countTemplates(items)}</span>
            </div>
          </>
        }
        empty={<p className="quiet pad">The server lists no resources.</p>}
      />
    )
  }
}

function countTemplates(items: readonly ResourceItem[]): string {
  const count = items.filter(({ kind }) => kind === 'template').length
  return count === 0 ? '' : `${count} ${count === 1 ? 'template' : 'templates'}`
}
