import { Icon, type IconName } from '@parley/page/icons'
import { Empty, ListPanel, PickList, useIsNarrow } from '@parley/page/parts'
import { PeerIcon } from '@parley/page/peer-icons'
import { useEffect, useMemo, type ReactElement } from 'react'

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
  const tool = tools.find((candidate) => candidate.name === picked)
  const isNarrow = useIsNarrow()
  const first = tools[0]?.name
  // With room beside the list, a form is ready from the beginning.
  useEffect(() => {
    if (!isNarrow && picked === undefined && first !== undefined) pick(name, 'tools', first)
  }, [isNarrow, picked, first, name])
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
        items={tools.map((item) => ({
          id: item.name,
          text: `${item.name} ${item.title ?? ''} ${item.description ?? ''}`,
          node: <ToolRow server={name} tool={item} />,
        }))}
        picked={picked}
        onPick={(id) => pick(name, 'tools', id)}
        rowHeight={48}
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
        <code className="tool-name cut grow">{tool.name}</code>{' '}
        {marksOf(tool).map(({ icon, words }) => (
          <span key={icon} className="tool-mark" title={words}>
            <Icon name={icon} size={14} />
            <span className="visually-hidden">{`, ${words} `}</span>
          </span>
        ))}
        <FindingsMark item={tool.item} />
      </span>
      <span className="pick-row-text cut">
        {tool.title !== undefined && tool.title !== tool.name && `${tool.title}. `}
        {tool.description ?? 'No description'}
      </span>
    </>
  )
}

/** What differs from a tool that only reads and answers at once. */
function marksOf({ claims, taskSupport, appUri }: ToolItem) {
  const has = (word: string) => claims.some((claim) => claim.word === word)
  const marks: { readonly icon: IconName; readonly words: string }[] = []
  if (has('destructive')) marks.push({ icon: 'trash', words: 'may delete or overwrite' })
  else if (!has('read-only')) marks.push({ icon: 'pencil', words: 'not read-only' })
  if (has('open world')) marks.push({ icon: 'globe', words: 'reaches other systems' })
  if (taskSupport !== 'forbidden') marks.push({ icon: 'clock', words: 'can run as a task' })
  if (appUri !== undefined) marks.push({ icon: 'monitor', words: 'has an app' })
  return marks
}
