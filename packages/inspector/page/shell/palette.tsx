import { useMantineColorScheme } from '@mantine/core'
import { Icon, type IconName } from '@parley/page/icons'
import { textOf } from '@parley/page/json'
import { Palette, setFlag, useFlags, type PaletteGroup } from '@parley/page/shell'
import type { ReactElement } from 'react'

import { isConnected, readKey, useKnownLists, type ListItem } from '../lists.ts'
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

/** Everything by name: `Ctrl K` or `⌘ K`. */
export function ServerPalette(): ReactElement {
  const commands = useCommands()
  const things = useThings()
  const servers = useServers()
  return (
    <Palette
      groups={[...servers, ...things, commands]}
      placeholder="A server, tool, prompt, resource, saved request or command"
    />
  )
}

function useServers(): PaletteGroup[] {
  const servers = useStore((store) => store.servers)
  if (servers.length === 0) return []
  return [
    {
      group: 'Servers',
      actions: servers.map(({ name, session }) => ({
        id: `server ${name}`,
        label: name,
        description: session ? `${session.transport}, ${session.revision}` : 'not connected',
        leftSection: <Icon name="server" />,
        onClick: () => showServer(name),
      })),
    },
  ]
}

function useThings(): PaletteGroup[] {
  const lists = useKnownLists()
  const collections = useStore((store) => store.collections)
  const groups = Object.entries(lists).flatMap(([key, { items }]) => {
    const { server, kind } = readKey(key)
    const look = listTabs[kind]
    if (look === undefined || items.length === 0) return []
    return [
      {
        group: `${look.group} of ${server}`,
        actions: items.map((item, index) => {
          const id =
            textOf(item['uri']) ?? textOf(item['uriTemplate']) ?? textOf(item['name']) ?? ''
          return {
            id: `${key} ${index}`,
            label: textOf(item['title']) ?? textOf(item['name']) ?? id,
            description: describe(item, id),
            leftSection: <Icon name={look.icon} />,
            onClick: () => pick(server, look.tab, id),
          }
        }),
      },
    ]
  })
  if (collections.length === 0) return groups
  const saved = {
    group: 'Saved requests',
    actions: collections.flatMap(({ name, requests }) =>
      requests.map(({ id, title }) => ({
        id: `saved ${name} ${id}`,
        label: title,
        description: name,
        leftSection: <Icon name="bookmark" />,
        onClick: () => showTab('collections'),
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

function useCommands(): PaletteGroup {
  const { setColorScheme } = useMantineColorScheme()
  const { isTraceOpen, server: shown } = useView()
  const { isCompact, hasLetterKeys } = useFlags()
  const server = useStore((store) => store.servers.find(({ name }) => name === shown))
  const list: { label: string; icon: IconName; run: () => void; description?: string }[] = [
    ...tabs.map(({ id, label, icon, letter }) => ({
      label: `Go to ${label}`,
      icon,
      description: `g ${letter}`,
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
    { label: 'Light colours', icon: 'sun', run: () => setColorScheme('light') },
    { label: 'Dark colours', icon: 'moon', run: () => setColorScheme('dark') },
    { label: 'Colours as the system', icon: 'monitor', run: () => setColorScheme('auto') },
    {
      label: isCompact ? 'More room between lines' : 'Less room between lines',
      icon: 'rows',
      run: () => setFlag('isCompact', !isCompact),
    },
    {
      label: hasLetterKeys ? 'Switch single-letter keys off' : 'Switch single-letter keys on',
      icon: 'keyboard',
      run: () => setFlag('hasLetterKeys', !hasLetterKeys),
    },
    { label: 'List of keys', icon: 'keyboard', run: () => openDialog({ kind: 'keys' }) },
  ]
  return {
    group: 'Commands',
    actions: list.map(({ label, icon, run, description }) => ({
      id: `command ${label}`,
      label,
      ...(description !== undefined && { description }),
      leftSection: <Icon name={icon} />,
      onClick: run,
    })),
  }
}
