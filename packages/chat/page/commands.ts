import { modifier, openSettings, type PaletteGroup } from '@parley/page/shell'

import { changeDraft } from './composer/draft.ts'
import { exportChat } from './export-chat.ts'
import { toggleContext } from './right/context-open.ts'
import { leave, show, useStore } from './store.ts'
import { toggleTrace } from './trace/trace-open.ts'
import { visible } from './visible.ts'

/** What the palette finds: chats, commands, the tools and prompts of servers. */
export function useCommands(): readonly PaletteGroup[] {
  const conversations = useStore((store) => store.conversations)
  const servers = useStore((store) => store.servers)
  const shown = useStore((store) => store.shown)
  return [
    {
      title: 'Chats',
      items: conversations.map(({ id, title, changedAt }) => ({
        id: `chat ${id}`,
        label: visible(title) || 'New chat',
        description: new Date(changedAt).toLocaleDateString('en', {
          day: 'numeric',
          month: 'short',
        }),
        icon: 'message',
        run: () => void show(id),
      })),
    },
    {
      title: 'Chat commands',
      items: [
        {
          id: 'new',
          label: 'New chat',
          icon: 'pencil',
          keys: `${modifier} Shift O`,
          run: leave,
        },
        { id: 'context', label: 'Context and activity', icon: 'gauge', run: toggleContext },
        { id: 'messages', label: 'Messages of servers', icon: 'wave', run: toggleTrace },
        {
          id: 'permissions',
          label: 'Permissions',
          icon: 'shield',
          run: () => openSettings('permissions'),
        },
        { id: 'servers', label: 'Servers', icon: 'server', run: () => openSettings('servers') },
        { id: 'models', label: 'Models', icon: 'spark', run: () => openSettings('models') },
        ...(shown === undefined
          ? []
          : [
              {
                id: 'export',
                label: 'Export this chat as Markdown',
                icon: 'download' as const,
                run: () => void exportChat(shown.id, 'markdown'),
              },
              {
                id: 'export-json',
                label: 'Export this chat as JSON',
                icon: 'download' as const,
                run: () => void exportChat(shown.id, 'json'),
              },
            ]),
      ],
    },
    {
      title: 'Tools',
      items: servers.flatMap(({ name: server, tools }) =>
        tools
          .filter(({ isEnabled }) => isEnabled)
          .map(({ name, mention }) => ({
            id: `tool ${mention}`,
            label: visible(name),
            description: visible(server),
            icon: 'wrench' as const,
            run: () => mentionTool(mention),
          })),
      ),
    },
  ]
}

/** Puts the name of a tool into the message. */
function mentionTool(mention: string): void {
  changeDraft({ text: `@${mention} ` })
  setTimeout(() => document.querySelector<HTMLElement>('[data-composer]')?.focus())
}
