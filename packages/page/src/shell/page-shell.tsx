import { useMediaQuery } from '@mantine/hooks'
import type { ReactElement, ReactNode } from 'react'

import type { ChannelStatus } from '../channel/channel.ts'
import type { IconName } from '../icons.tsx'
import { createLoadable } from '../parts/loadable.ts'
import { Loaded } from '../parts/loaded.tsx'
import { appearanceCommands } from './appearance.ts'
import type { KeyGroup } from './key-table.ts'
import { modifier, PageHeader, type PageHeaderProps } from './page-header.tsx'
import type { PaletteGroup } from './palette.tsx'
import { closeOver, openOver, openSettings, useShellState } from './place.ts'
import { ServiceBanner } from './service-banner.tsx'
import type { SettingsSection } from './settings-page.tsx'

// What is not seen at first is fetched afterwards.
const settingsPage = createLoadable(async () => (await import('./settings-page.tsx')).SettingsPage)
const palette = createLoadable(async () => (await import('./palette.tsx')).Palette)
const keyList = createLoadable(async () => (await import('./key-list.tsx')).KeyList)
const railDrawer = createLoadable(async () => (await import('./rail-drawer.tsx')).RailDrawer)

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
  const over = useShellState((state) => state.over)
  const isSettings = useShellState((state) => state.isSettings)
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false })
  return (
    <div className="shell" data-document={isDocument}>
      <a className="skip" href="#workspace" onClick={skipToWorkspace}>
        Skip to the content
      </a>
      <PageHeader {...header} hasRail={rail !== undefined && !isSettings} />
      {status !== undefined && <ServiceBanner status={status} />}
      {banner}
      {isSettings && (
        <Loaded part={settingsPage} name="The settings">
          {(SettingsPage) => <SettingsPage sections={settings} keys={keys} />}
        </Loaded>
      )}
      {/* Stays, so that what was typed and scrolled to is there again. */}
      <div className="shell-middle" hidden={isSettings}>
        {rail !== undefined && isNarrow && (
          <Loaded part={railDrawer} name={rail.label} isQuiet>
            {(RailDrawer) => <RailDrawer label={rail.label}>{rail.content}</RailDrawer>}
          </Loaded>
        )}
        {rail !== undefined && !isNarrow && (
          <div className="rail rail-frame" data-pane tabIndex={-1}>
            {rail.content}
          </div>
        )}
        {children}
      </div>
      {(over === 'palette' || palette.value !== undefined) && (
        <Loaded part={palette} name="The palette" isQuiet>
          {(Palette) => <Palette groups={[...commands, commonCommands]} />}
        </Loaded>
      )}
      {over === 'keys' && (
        <Loaded part={keyList} name="The list of keys" isQuiet>
          {(KeyList) => <KeyList groups={keys} onClose={closeOver} />}
        </Loaded>
      )}
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
