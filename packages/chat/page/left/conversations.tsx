import { ActionIcon, Button, Menu, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Icon } from '@parley/page/icons'
import { downloadText, showProblem, Tag } from '@parley/page/parts'
import { useState, type ReactElement } from 'react'

import type { ConversationSummary } from '../../src/store/conversation-store.ts'
import { channel } from '../channel.ts'
import { leave, setConversations, show, useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** All conversations: search, open, rename, fork, export, remove. */
export function Conversations(): ReactElement {
  const conversations = useStore((store) => store.conversations)
  const [search, setSearch] = useState('')
  const find = useDebouncedCallback(async (words: string) => {
    const found = await channel.ask('conversations/list', words === '' ? {} : { search: words })
    setConversations(found)
  }, 200)

  async function more() {
    const last = conversations.at(-1)
    if (last === undefined) return
    const { changedAt, id } = last
    const older = await channel.ask('conversations/list', {
      before: { changedAt, id },
      ...(search !== '' && { search }),
    })
    const known = new Set(conversations.map((one) => one.id))
    setConversations([...conversations, ...older.filter((one) => !known.has(one.id))])
  }

  return (
    <section className="left-part" aria-label="Conversations">
      <div className="row left-head">
        <h2 className="grow">Conversations</h2>
        <Button
          variant="light"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          onClick={leave}
        >
          New
        </Button>
      </div>
      <TextInput
        aria-label="Search conversations"
        placeholder="Search"
        leftSection={<Icon name="search" size={14} />}
        value={search}
        onChange={({ currentTarget: { value } }) => {
          setSearch(value)
          find(value.trim())
        }}
      />
      <ul className="left-list">
        {conversations.map((one) => (
          <Row key={one.id} conversation={one} />
        ))}
      </ul>
      {conversations.length === 0 && (
        <p className="quiet left-none">
          {search === '' ? 'No conversations yet.' : 'No conversation matches.'}
        </p>
      )}
      {conversations.length > 0 && conversations.length % 50 === 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => void more()}>
          Show older conversations
        </Button>
      )}
    </section>
  )
}

function Row({ conversation }: { readonly conversation: ConversationSummary }): ReactElement {
  const { id } = conversation
  const isShown = useStore((store) => store.shown?.id === id)
  const isBusy = useStore((store) => store.busy.includes(id))
  const asks = useStore((store) => store.questions.some((one) => one.conversation === id))
  const [isRenaming, setIsRenaming] = useState(false)
  const title = visible(conversation.title) || 'New conversation'

  async function rename(text: string) {
    setIsRenaming(false)
    const next = text.trim()
    if (next !== '' && next !== conversation.title) {
      await channel.ask('conversations/change', { id, title: next }).catch(failed('Not renamed'))
    }
  }

  if (isRenaming) {
    return (
      <li>
        <TextInput
          aria-label={`New title of ${title}`}
          defaultValue={conversation.title}
          autoFocus
          maxLength={200}
          onBlur={(event) => void rename(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void rename(event.currentTarget.value)
            if (event.key === 'Escape') setIsRenaming(false)
          }}
        />
      </li>
    )
  }
  return (
    <li className="left-row" data-shown={isShown}>
      <UnstyledButton
        className="left-button"
        aria-current={isShown ? 'page' : undefined}
        onClick={() => void show(id).catch(failed('Not opened'))}
      >
        <span className="cut">{title}</span>
        {asks ? (
          <Tag tone="warning">needs you</Tag>
        ) : (
          isBusy && (
            <Tag tone="info" icon="refresh">
              running
            </Tag>
          )
        )}
      </UnstyledButton>
      <RowMenu conversation={conversation} title={title} onRename={() => setIsRenaming(true)} />
    </li>
  )
}

function RowMenu({
  conversation,
  title,
  onRename,
}: {
  readonly conversation: ConversationSummary
  readonly title: string
  readonly onRename: () => void
}): ReactElement {
  const { id, turns } = conversation
  async function save(format: 'markdown' | 'json') {
    const { name, text } = await channel.ask('conversations/export', { id, format })
    downloadText(name, text, format === 'json' ? 'application/json' : 'text/markdown')
  }
  async function fork() {
    const made = await channel.ask('conversations/fork', { id, turns })
    await show(made.id)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${title}`} size={24}>
          <Icon name="dots" size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => setTimeout(onRename)}>Rename</Menu.Item>
        <Menu.Item onClick={() => void fork().catch(failed('Not forked'))}>Fork</Menu.Item>
        <Menu.Item onClick={() => void save('markdown').catch(failed('Not exported'))}>
          Export as Markdown
        </Menu.Item>
        <Menu.Item onClick={() => void save('json').catch(failed('Not exported'))}>
          Export as JSON
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>This cannot be undone</Menu.Label>
        <Menu.Item
          color="red"
          onClick={() =>
            void channel.ask('conversations/remove', { id }).catch(failed('Not removed'))
          }
        >
          Delete this conversation
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function failed(title: string): (error: unknown) => void {
  return (error) => showProblem(error, title)
}
