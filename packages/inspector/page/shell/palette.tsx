import type { IconName } from '@parley/page/icons'
import { textOf } from '@parley/page/json'
import type { PaletteGroup } from '@parley/page/shell'

import { isConnected, readKey, useLoadedLists, type ListItem } from '../lists.ts'
import { useStore } from '../store.ts'
import { tabs, type TabId } from '../tabs.ts'
import { openDialog, pick, setTraceOpen, showServer, showTab, useView } from '../view.ts'
import { connect, disconnect, restart } from './servers/server-actions.ts'

const listTabs: Readonly<Record<string, { tab: TabId; icon: IconName; group: string }>> = {
  tools: { tab: 'tools', icon: 'wrench', group: 'Tools' },
  prompts: { tab: 'prompts', icon: 'message', group: 'Prompts' },
  resources: { tab: 'resources', icon: 'file', group: 'Resources' },
  templates: { tab: 'resources', icon: 'folder', group: 'Resource templates' },
}

/** Everything that the palette finds here: servers, what they offer, saved requests, commands. */
export function useCommands(): readonly PaletteGroup[] {
  const servers = useServers()
  const things = useThings()
  const actions = useActions()
  return [...servers, ...things, actions]
}

function useServers(): PaletteGroup[] {
  const servers = useStore((store) => store.servers)
  if (servers.length === 0) return []
  return [
    {
      title: 'Servers',
      items: servers.map(({ name, session }) => ({
        id: `server ${name}`,
        label: name,
        description: session ? `${session.transport}, ${session.revision}` : 'not connected',
        icon: 'server',
        run: () => showServer(name),
      })),
    },
  ]
}

function useThings(): PaletteGroup[] {
  const lists = useLoadedLists()
  const collections = useStore((store) => store.collections)
  const groups = Object.entries(lists).flatMap(([key, { items }]) => {
    const { server, kind } = readKey(key)
    const look = listTabs[kind]
    if (look === undefined || items.length === 0) return []
    return [
      {
        title: `${look.group} of ${server}`,
        items: items.map((item, index) => {
          const id =
            textOf(item['uri']) ?? textOf(item['uriTemplate']) ?? textOf(item['name']) ?? ''
          return {
            id: `${key} ${index}`,
            label: textOf(item['title']) ?? textOf(item['name']) ?? id,
            description: describe(item, id),
            icon: look.icon,
            run: () => pick(server, look.tab, id),
          }
        }),
      },
    ]
  })
  if (collections.length === 0) return groups
  const saved = {
    title: 'Saved requests',
    items: collections.flatMap(({ name, requests }) =>
      requests.map(({ id, title }) => ({
        id: `saved ${name} ${id}`,
        label: title,
        description: name,
        icon: 'bookmark' as const,
        run: () => showTab('collections'),
      })),
    ),
  }
  return [...groups, saved]
}

/** The name that programs use, where people see another, then what it is for. */
function describe(item: ListItem, id: string): string {
  const name = textOf(item['title']) === undefined ? undefined : (textOf(item['name']) ?? id)
  const text = textOf(item['description'])
  return (
    [name, text]
      .filter((part) => part !== undefined)
      .join(' · ')
      .slice(0, 120) || id
  )
}

function useActions(): PaletteGroup {
  const { isTraceOpen, server: shown } = useView()
  const server = useStore((store) => store.servers.find(({ name }) => name === shown))
  const list: { label: string; icon: IconName; run: () => void; keys?: string }[] = [
    ...tabs.map(({ id, label, icon, letter }) => ({
      label: `Go to ${label}`,
      icon,
      keys: `g ${letter}`,
      run: () => showTab(id),
    })),
    { label: 'Add a server', icon: 'plus', run: () => openDialog({ kind: 'add-server' }) },
    ...(server === undefined
      ? []
      : [
          isConnected(server)
            ? {
                label: `Disconnect ${server.name}`,
                icon: 'stop' as const,
                run: () => void disconnect(server.name),
              }
            : {
                label: `Connect ${server.name}`,
                icon: 'plug' as const,
                run: () => connect(server),
              },
          {
            label: `Restart ${server.name}`,
            icon: 'refresh' as const,
            run: () => void restart(server.name),
          },
          {
            label: `Settings of ${server.name}`,
            icon: 'gear' as const,
            run: () => openDialog({ kind: 'settings', server: server.name }),
          },
        ]),
    {
      label: isTraceOpen ? 'Hide the trace' : 'Show the trace',
      icon: 'wave',
      run: () => setTraceOpen(!isTraceOpen),
    },
  ]
  return {
    title: 'Commands',
    items: list.map(({ label, icon, run, keys }) => ({
      id: `command ${label}`,
      label,
      keys,
      icon,
      run,
    })),
  }
}
