import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { ColourMenu, PaletteButton } from '@parley/page/shell'
import type { ReactElement } from 'react'

import { openDialog, useView } from '../view.ts'

/** The bar at the top: the name, the palette, and how the page looks. */
export function Header({ isNarrow }: { readonly isNarrow: boolean }): ReactElement {
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
      <PaletteButton hasKey={!isNarrow}>
        {isNarrow ? 'Search' : 'Search tools, servers, commands'}
      </PaletteButton>
      <ColourMenu />
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
