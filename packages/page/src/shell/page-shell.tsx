import { Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactElement, ReactNode } from 'react'

import type { ChannelStatus } from '../channel/channel.ts'
import type { IconName } from '../icons.tsx'
import { appearanceCommands } from './appearance.ts'
import { KeyList } from './key-list.tsx'
import type { KeyGroup } from './key-table.ts'
import { modifier, PageHeader, type PageHeaderProps } from './page-header.tsx'
import { Palette, type PaletteGroup } from './palette.tsx'
import { closeOver, openOver, openSettings, usePlace } from './place.ts'
import { ServiceBanner } from './service-banner.tsx'
import { SettingsPage, type SettingsSection } from './settings-page.tsx'

export interface PageShellProps extends PageHeaderProps {
  /** Whether the service behind the page answers; pages without one have no status. */
  readonly status?: ChannelStatus | undefined
  /** The side bar, which names its own landmarks; a drawer of that label where the window is narrow. */
  readonly rail?: { readonly label: string; readonly content: ReactNode } | undefined
  /** What can be found in the palette. Settings, colours and keys are added. */
  readonly commands: readonly PaletteGroup[]
  readonly keys: readonly KeyGroup[]
  /** The program's own sections of the settings; appearance and keys are added. */
  readonly settings?: readonly SettingsSection[] | undefined
  /** Below the header: one line that concerns the whole page. */
  readonly banner?: ReactNode
  /** The document scrolls, as on pages for reading. */
  readonly isDocument?: boolean
  readonly children: ReactNode
}

/** The frame of every program: header, rail, palette, settings and keys around what the program shows. */
export function PageShell(props: PageShellProps): ReactElement {
  const { status, rail, commands, keys, settings = [], banner, isDocument = false } = props
  const { children, ...header } = props
  const over = usePlace((state) => state.over)
  const isSettings = usePlace((state) => state.isSettings)
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false })
  return (
    <div className="shell" data-document={isDocument}>
      <a className="skip" href="#workspace" onClick={skipToWorkspace}>
        Skip to the content
      </a>
      <PageHeader {...header} hasRail={rail !== undefined && !isSettings} />
      {status !== undefined && <ServiceBanner status={status} />}
      {banner}
      {isSettings && <SettingsPage sections={settings} keys={keys} />}
      {/* Stays, so that what was typed and scrolled to is there again. */}
      <div className="shell-middle" hidden={isSettings}>
        {rail !== undefined && isNarrow && (
          <Drawer
            opened={over === 'rail'}
            onClose={closeOver}
            title={rail.label}
            size={300}
            padding={0}
            classNames={{ body: 'rail-drawer' }}
            closeButtonProps={{ 'aria-label': 'Close the side bar' }}
          >
            <div className="rail">{rail.content}</div>
          </Drawer>
        )}
        {rail !== undefined && !isNarrow && (
          <div className="rail rail-frame" data-pane tabIndex={-1}>
            {rail.content}
          </div>
        )}
        {children}
      </div>
      <Palette groups={[...commands, commonCommands]} />
      {over === 'keys' && <KeyList groups={keys} onClose={closeOver} />}
    </div>
  )
}

const commonCommands: PaletteGroup = {
  title: 'Commands',
  items: [
    command('settings', 'Settings', 'gear', openSettings, `${modifier} ,`),
    command('keys', 'Keyboard shortcuts', 'keyboard', () => openOver('keys'), '?'),
    ...appearanceCommands,
  ],
}

function command(id: string, label: string, icon: IconName, run: () => void, keys?: string) {
  return { id, label, icon, run: () => run(), keys }
}

/** The address says what is shown, so the link must not change it. */
function skipToWorkspace(event: { preventDefault: () => void }) {
  event.preventDefault()
  document.querySelector<HTMLElement>('#workspace')?.focus()
}
