import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Boundary, createLoadable, Loaded } from '@parley/page/parts'
import { closeOver, PageShell, usePageKeys } from '@parley/page/shell'
import { useEffect, type ReactElement } from 'react'

import { useCommands } from './commands.ts'
import { Composer } from './composer/composer.tsx'
import { exportChat } from './export-chat.ts'
import { keyGroups, keyTable } from './key-table.ts'
import { Left } from './left/left.tsx'
import { toggleContext, useContextOpen } from './right/context-open.ts'
import { useSettings } from './settings/settings.tsx'
import { Start } from './start/start.tsx'
import { leave, useStore } from './store.ts'
import { toggleTrace, useTraceOpen } from './trace/trace-open.ts'
import { visible } from './visible.ts'

const thread = createLoadable(async () => (await import('./thread/thread.tsx')).Thread)
const right = createLoadable(async () => (await import('./right/right.tsx')).Right)
const trace = createLoadable(async () => (await import('./trace/trace-drawer.tsx')).TraceDrawer)

/** Conversations and servers, the thread, and what it takes. */
export function Shell(): ReactElement {
  const status = useStore((store) => store.status)
  const version = useStore((store) => store.version)
  const shown = useStore((store) => store.shown)
  const isTraceOpen = useTraceOpen((state) => state.isOpen)
  const isContextOpen = useContextOpen((state) => state.isOpen)
  const commands = useCommands()
  const settings = useSettings()
  const title = visible(shown?.title ?? '') || 'New chat'
  usePageKeys({ table: keyTable, letters: { newChat: leave } })
  useEffect(() => closeOver(), [shown?.id])

  return (
    <PageShell
      onHome={leave}
      version={version}
      status={status}
      context={shown && <span className="cut chat-title">{title}</span>}
      actions={<ChatMenu />}
      rail={{ label: 'Chats and servers', content: <Left /> }}
      commands={commands}
      keys={keyGroups}
      settings={settings}
    >
      <main className="chat-main" id="workspace" tabIndex={-1} data-pane aria-label="Chat">
        {shown === undefined ? (
          <Boundary name="The start page">
            <Start />
          </Boundary>
        ) : (
          <>
            <h1 className="visually-hidden">{title}</h1>
            <Loaded part={thread} name="The conversation">
              {(Thread) => (
                <Boundary name="The conversation">
                  <Thread />
                </Boundary>
              )}
            </Loaded>
            <Composer />
          </>
        )}
        {isTraceOpen && (
          <Loaded part={trace} name="The trace">
            {(TraceDrawer) => <TraceDrawer />}
          </Loaded>
        )}
      </main>
      {isContextOpen && shown !== undefined && (
        <Loaded part={right} name="Context and activity">
          {(Right) => <Right />}
        </Loaded>
      )}
    </PageShell>
  )
}

/** What else there is for a chat: messages of servers, context, export. */
function ChatMenu(): ReactElement {
  const id = useStore((store) => store.shown?.id)
  const isTraceOpen = useTraceOpen((state) => state.isOpen)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label="More for this chat">
          <ActionIcon aria-label="More for this chat">
            <Icon name="dots" size={17} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="wave" size={15} />} onClick={toggleTrace}>
          {isTraceOpen ? 'Hide the messages of servers' : 'Messages of servers'}
        </Menu.Item>
        {id !== undefined && (
          <>
            <Menu.Item leftSection={<Icon name="gauge" size={15} />} onClick={toggleContext}>
              Context and activity
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<Icon name="download" size={15} />}
              onClick={() => void exportChat(id, 'markdown')}
            >
              Export as Markdown
            </Menu.Item>
            <Menu.Item
              leftSection={<Icon name="download" size={15} />}
              onClick={() => void exportChat(id, 'json')}
            >
              Export as JSON
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
