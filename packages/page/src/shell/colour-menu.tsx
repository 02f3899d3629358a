import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core'
import type { ReactElement } from 'react'

import { Icon, type IconName } from '../icons.tsx'

const schemes = [
  { id: 'light', label: 'Light', icon: 'sun' },
  { id: 'dark', label: 'Dark', icon: 'moon' },
  { id: 'auto', label: 'As the system', icon: 'monitor' },
] as const satisfies readonly { id: string; label: string; icon: IconName }[]

/** Light, dark, or as the system. */
export function ColourMenu(): ReactElement {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const current = schemes.find(({ id }) => id === colorScheme) ?? schemes[2]
  return (
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
  )
}
