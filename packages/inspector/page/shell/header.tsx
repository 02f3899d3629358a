import { ActionIcon, Menu, Tooltip, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { spotlight } from '@mantine/spotlight'
import type { ReactElement } from 'react'

import { Icon, type IconName } from '../icons.tsx'
import { openDialog, useView } from '../view.ts'

const schemes = [
  { id: 'light', label: 'Light', icon: 'sun' },
  { id: 'dark', label: 'Dark', icon: 'moon' },
  { id: 'auto', label: 'As the system', icon: 'monitor' },
] as const satisfies readonly { id: string; label: string; icon: IconName }[]

const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** The bar at the top: the name, the palette, and how the page looks. */
export function Header({ isNarrow }: { readonly isNarrow: boolean }): ReactElement {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = schemes.find(({ id }) => id === colorScheme) ?? schemes[2]
  return (
    <header className="header">
      {isNarrow && (
        <ActionIcon
          aria-label="Open the list of servers"
          onClick={() => useView.setState({ isRailOpen: true })}
        >
          <Icon name="menu" size={18} />
        </ActionIcon>
      )}
      <img className="logo" src="./icon.svg" alt="" width={22} height={22} />
      <h1 className="brand">
        Parley <span>Inspector</span>
      </h1>
      <UnstyledButton className="palette-button" onClick={() => spotlight.open()}>
        <Icon name="search" size={14} />
        <span className="grow cut">{isNarrow ? 'Search' : 'Search tools, servers, commands'}</span>
        {!isNarrow && <kbd className="keys">{modifier} K</kbd>}
      </UnstyledButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <Tooltip label={`Colours: ${current.label.toLowerCase()}`}>
            <ActionIcon aria-label={`Colours: ${current.label.toLowerCase()}`}>
              <Icon name={current.icon} size={17} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {schemes.map(({ id, label, icon }) => (
            <Menu.Item
              key={id}
              leftSection={<Icon name={icon} size={15} />}
              rightSection={id === colorScheme ? <Icon name="check" size={15} /> : undefined}
              onClick={() => setColorScheme(id)}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {!isNarrow && (
        <Tooltip label="Keys (?)">
          <ActionIcon aria-label="Keys" onClick={() => openDialog({ kind: 'keys' })}>
            <Icon name="keyboard" size={17} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Preferences">
        <ActionIcon aria-label="Preferences" onClick={() => openDialog({ kind: 'preferences' })}>
          <Icon name="gear" size={17} />
        </ActionIcon>
      </Tooltip>
    </header>
  )
}
