import { ActionIcon, Menu, Tooltip, UnstyledButton } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

import { Icon } from '../icons.tsx'
import { useProgram } from '../theme/program.ts'
import { closeSettings, openOver, openPalette, openSettings, useShellState } from './place.ts'

/** The modifier of commands on this keyboard. */
export const modifier = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

const documentation = 'https://github.com/parley-mcp/parley/tree/main/docs'

export interface PageHeaderProps {
  /** Goes to the first view of the program. */
  readonly onHome: () => void
  readonly version?: string | undefined
  /** Beside the name: the title of what is shown, an address. */
  readonly context?: ReactNode
  /** In place of the button that opens the palette. */
  readonly search?: ReactNode
  /** Buttons of the program, before *Help*. */
  readonly actions?: ReactNode
  /** After *Settings*: who is signed in. */
  readonly account?: ReactNode
  readonly hasRail?: boolean
}

/** The one header of all programs: name and context, palette, actions, Help, Settings, account. */
export function PageHeader(props: PageHeaderProps): ReactElement {
  const { onHome, version, context, search, actions, account, hasRail } = props
  const { title } = useProgram()
  const isSettings = useShellState((state) => state.isSettings)
  return (
    <header className="top" data-railed={hasRail}>
      <div className="top-start">
        {hasRail && (
          <ActionIcon
            className="narrow-only"
            aria-label="Open the side bar"
            onClick={() => openOver('rail')}
          >
            <Icon name="menu" size={18} />
          </ActionIcon>
        )}
        <UnstyledButton
          className="brand"
          aria-label={title}
          onClick={() => {
            closeSettings()
            onHome()
          }}
        >
          <img className="logo" src="./icon.svg" alt="" width={22} height={22} />
          <span className="brand-name">
            <b>Parley</b> {title.replace('Parley ', '')}
          </span>
        </UnstyledButton>
        {context !== undefined && <div className="top-context">{context}</div>}
      </div>
      {search ?? (
        <UnstyledButton
          className="palette-button"
          aria-label="Search or run a command"
          onClick={openPalette}
        >
          <Icon name="search" size={16} />
          <span className="grow cut">Search or run a command</span>
          <kbd className="keys">{modifier} K</kbd>
        </UnstyledButton>
      )}
      <div className="top-end">
        {actions}
        <HelpMenu version={version} />
        <Tooltip label={`Settings (${modifier} ,)`}>
          <ActionIcon
            aria-label="Settings"
            aria-pressed={isSettings}
            onClick={() => (isSettings ? closeSettings() : openSettings())}
          >
            <Icon name="gear" size={17} />
          </ActionIcon>
        </Tooltip>
        {account}
      </div>
    </header>
  )
}

function HelpMenu({ version }: { readonly version: string | undefined }): ReactElement {
  const { title } = useProgram()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label="Help">
          <ActionIcon aria-label="Help">
            <Icon name="help" size={17} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name="keyboard" size={15} />}
          rightSection={
            <kbd className="keys" aria-hidden>
              ?
            </kbd>
          }
          onClick={() => openOver('keys')}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          component="a"
          href={documentation}
          target="_blank"
          rel="noreferrer noopener"
          leftSection={<Icon name="external" size={15} />}
        >
          Documentation
        </Menu.Item>
        {version !== undefined && (
          <Menu.Label>
            {title} {version}
          </Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
