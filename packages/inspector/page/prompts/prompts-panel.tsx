import { listOf, recordOf, textOf } from '@parley/page/json'
import { Empty, ItemTitle, ListPanel, PickList, Tag } from '@parley/page/parts'
import { PeerIcon } from '@parley/page/peer-icons'
import { useMemo, type ReactElement } from 'react'

import type { ServerView } from '../../src/protocol/index.ts'
import { useList, type ListItem } from '../lists.ts'
import { ListActions, ListPaging } from '../parts/list-actions.tsx'
import { ListFrame } from '../parts/list-frame.tsx'
import { pick, usePicked } from '../view.ts'
import { PromptView, type PromptItem } from './prompt-view.tsx'

/** The prompts of a server: pick one, fill in its arguments, see the messages. */
export function PromptsPanel({ server }: { readonly server: ServerView }): ReactElement {
  const { name } = server
  const list = useList(server, 'prompts')
  const picked = usePicked(name, 'prompts')
  const prompts = useMemo(() => list.items.map(readPrompt), [list.items])
  const prompt = prompts.find((candidate) => candidate.name === picked)
  const detail = prompt ? (
    <PromptView key={prompt.name} server={server} prompt={prompt} />
  ) : (
    <Empty icon="message" title="Pick a prompt">
      Its arguments are completed by the server while you type.
    </Empty>
  )
  return (
    <ListFrame server={server} kind="prompts" list={list} icon="message">
      <ListPanel
        kind="prompts"
        list={{
          id: 'prompt-list',
          label: 'List of prompts',
          size: '30%',
          least: 200,
          node: renderList(),
        }}
        details={[{ id: 'prompt-view', label: 'Prompt', size: '70%', least: 300, node: detail }]}
        isPicked={prompt !== undefined}
        onBack={() => pick(name, 'prompts', undefined)}
      />
    </ListFrame>
  )

  function renderList() {
    return (
      <PickList
        label="Prompts"
        items={prompts.map((item) => ({
          id: item.name,
          text: `${item.name} ${item.title ?? ''} ${item.description ?? ''}`,
          node: (
            <>
              <span className="pick-row-title">
                <PeerIcon server={name} icons={item.icons} />
                <ItemTitle title={item.title} name={item.name} />
                {item.args.length > 0 && <Tag>{item.args.length} args</Tag>}
              </span>
              <span className="pick-row-text cut">{item.description ?? 'No description'}</span>
            </>
          ),
        }))}
        picked={picked}
        onPick={(id) => pick(name, 'prompts', id)}
        rowHeight={54}
        action={<ListActions server={name} kind="prompts" list={list} />}
        header={<ListPaging server={name} kind="prompts" list={list} />}
        empty={<p className="quiet pad">The server lists no prompts.</p>}
      />
    )
  }
}

function readPrompt(item: ListItem): PromptItem {
  return {
    name: textOf(item['name']) ?? '(no name)',
    title: textOf(item['title']),
    description: textOf(item['description']),
    icons: item['icons'],
    args: listOf(item['arguments']).map((argument) => {
      const { name, title, description, required } = recordOf(argument)
      return {
        name: textOf(name) ?? '',
        title: textOf(title),
        description: textOf(description),
        isRequired: required === true,
      }
    }),
  }
}
