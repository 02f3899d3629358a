import { Empty, ItemTitle, ListPanel, PickList, Tag } from '@parley/page/parts'
import { PeerIcon } from '@parley/page/peer-icons'
import { useMemo, type ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { useList } from '../lists.ts'
import { ListActions, ListPaging } from '../parts/list-actions.tsx'
import { ListFrame } from '../parts/list-frame.tsx'
import { pick, usePicked } from '../view.ts'
import { ToolCall } from './tool-call.tsx'
import { FindingsMark } from './tool-findings.tsx'
import { readTool, type ToolItem } from './tool-item.ts'
import { ToolResult } from './tool-result.tsx'

import './tools.css'

/** The tools of a server: pick one, fill in, run, look at what came. */
export function ToolsPanel({ server }: { readonly server: ServerView }): ReactElement {
  const { name } = server
  const list = useList(server, 'tools')
  const picked = usePicked(name, 'tools')
  const tools = useMemo(() => list.items.map(readTool), [list.items])
  const tool = tools.find((one) => one.name === picked)
  return (
    <ListFrame server={server} kind="tools" list={list} icon="wrench">
      <ListPanel
        kind="tools"
        list={{
          id: 'tool-list',
          label: 'List of tools',
          size: '26%',
          least: 180,
          node: renderList(),
        }}
        details={[
          { id: 'tool-call', label: 'Call', size: '36%', least: 240, node: call(tool) },
          { id: 'tool-result', label: 'Result', size: '38%', least: 240, node: result(tool) },
        ]}
        isPicked={tool !== undefined}
        onBack={() => pick(name, 'tools', undefined)}
      />
    </ListFrame>
  )

  function call(shown: ToolItem | undefined) {
    if (shown) return <ToolCall key={shown.name} server={server} tool={shown} />
    return (
      <Empty icon="wrench" title="Pick a tool">
        Its arguments become a form here. <kbd className="keys">j</kbd> and{' '}
        <kbd className="keys">k</kbd> move in the list.
      </Empty>
    )
  }

  function result(shown: ToolItem | undefined) {
    return shown ? <ToolResult key={shown.name} server={server} tool={shown} /> : null
  }

  function renderList() {
    return (
      <PickList
        label="Tools"
        items={tools.map((one) => ({
          id: one.name,
          text: `${one.name} ${one.title ?? ''} ${one.description ?? ''}`,
          node: <ToolRow server={name} tool={one} />,
        }))}
        picked={picked}
        onPick={(id) => pick(name, 'tools', id)}
        rowHeight={54}
        action={<ListActions server={name} kind="tools" list={list} />}
        header={<ListPaging server={name} kind="tools" list={list} />}
        empty={<p className="quiet pad">The server lists no tools.</p>}
      />
    )
  }
}

function ToolRow({ server, tool }: { readonly server: string; readonly tool: ToolItem }) {
  return (
    <>
      <span className="pick-row-title">
        <PeerIcon server={server} icons={tool.icons} />
        <ItemTitle title={tool.title} name={tool.name} />
      </span>
      <span className="pick-row-text row">
        <span className="grow cut">{tool.description ?? 'No description'}</span>
        <FindingsMark item={tool.item} />
        {tool.taskSupport !== 'forbidden' && <Tag icon="clock">task</Tag>}
        {tool.appUri !== undefined && <Tag>app</Tag>}
        {tool.claims
          .filter(({ tone }) => tone !== 'plain')
          .slice(0, 1)
          .map(({ word, tone }) => (
            <Tag key={word} tone={tone}>
              {word}
            </Tag>
          ))}
      </span>
    </>
  )
}
