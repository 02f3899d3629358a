import { ActionIcon, Button, Menu, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Icon } from '@parley/page/icons'
import { showProblem, Tag } from '@parley/page/parts'
import { closeOver, modifier } from '@parley/page/shell'
import { useState, type ReactElement } from 'react'

import type { ConversationSummary } from '../../src/store/conversation-store.ts'
import { channel } from '../channel.ts'
import { exportChat } from '../export-chat.ts'
import { leave, setConversations, show, useStore } from '../store.ts'
import { visible } from '../visible.ts'
import { groupByDay } from './group-by-day.ts'

/** All chats, by day: search, open, rename, branch, export, delete. */
export function Conversations(): ReactElement {
  const conversations = useStore((store) => store.conversations)
  const shown = useStore((store) => store.shown)
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
    const ids = new Set(conversations.map((conversation) => conversation.id))
    setConversations([...conversations, ...older.filter((candidate) => !ids.has(candidate.id))])
  }

  return (
    <section className="rail-scroll" aria-label="Chats">
      <button
        type="button"
        className="nav"
        {...(shown === undefined && { 'aria-current': 'page' as const })}
        onClick={() => {
          closeOver()
          leave()
          setTimeout(() => document.querySelector<HTMLElement>('[data-composer]')?.focus())
        }}
      >
        <Icon name="pencil" /> <span className="grow">New chat</span>
        <kbd className="keys wide-only">{modifier} Shift O</kbd>
      </button>
      <TextInput
        className="rail-search"
        variant="unstyled"
        aria-label="Search chats"
        placeholder="Search chats"
        leftSection={<Icon name="search" />}
        value={search}
        onChange={({ currentTarget: { value } }) => {
          setSearch(value)
          find(value.trim())
        }}
      />
      {groupByDay(conversations, Date.now()).map(({ title, rows }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul className="plain-rows">
            {rows.map((row) => (
              <Row key={row.id} conversation={row} />
            ))}
          </ul>
        </section>
      ))}
      {conversations.length === 0 && (
        <p className="quiet rail-none">
          {search === '' ? 'Your chats will be here.' : 'No chat matches.'}
        </p>
      )}
      {conversations.length > 0 && conversations.length % 50 === 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => void more()}>
          Show older chats
        </Button>
      )}
    </section>
  )
}

function Row({ conversation }: { readonly conversation: ConversationSummary }): ReactElement {
  const { id, thread = id } = conversation
  const isShown = useStore(
    ({ shown }) => shown !== undefined && (shown.thread ?? shown.id) === thread,
  )
  const isBusy = useStore((store) => store.busy.includes(id))
  const asks = useStore((store) => store.questions.some((question) => question.conversation === id))
  const [isRenaming, setIsRenaming] = useState(false)
  const title = visible(conversation.title) || 'New chat'

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
    <li className="rail-row">
      <UnstyledButton
        className="nav"
        {...(isShown && { 'aria-current': 'page' })}
        onClick={() => {
          closeOver()
          void show(id).catch(failed('Not opened'))
        }}
      >
        <span className="cut grow">{title}</span>
        {asks ? (
          <Tag tone="warning">asks you</Tag>
        ) : (
          isBusy && <Icon name="refresh" size={14} className="spin" />
        )}
        {isBusy && <span className="visually-hidden">running</span>}
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
  async function branch() {
    const made = await channel.ask('conversations/fork', { id, turns })
    await show(made.id)
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon className="rail-row-more" aria-label={`Actions for ${title}`} size={24}>
          <Icon name="dots" size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => setTimeout(onRename)}>Rename</Menu.Item>
        <Menu.Item onClick={() => void branch().catch(failed('Not branched'))}>Branch</Menu.Item>
        <Menu.Item onClick={() => void exportChat(id, 'markdown')}>Export as Markdown</Menu.Item>
        <Menu.Item onClick={() => void exportChat(id, 'json')}>Export as JSON</Menu.Item>
        <Menu.Divider />
        <Menu.Label>This cannot be undone</Menu.Label>
        <Menu.Item
          color="red"
          onClick={() =>
            void channel.ask('conversations/remove', { id }).catch(failed('Not deleted'))
          }
        >
          Delete this chat
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function failed(title: string): (error: unknown) => void {
  return (error) => showProblem(error, title)
}
