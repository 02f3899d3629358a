import { Button, useComputedColorScheme } from '@mantine/core'
import { useContext, useEffect, useMemo, type ReactElement } from 'react'

import { Icon } from '../icons.tsx'
import { IconLoader } from './icon-loader.ts'
import { allowHost, loadIcon, keyOfIcon, useLoadedIcons } from './loaded-icons.ts'
import { readIcon } from './read-icon.ts'

import './peer-icons.css'

export interface PeerIconProps {
  readonly server: string
  /** As the server sent them. */
  readonly icons: unknown
  readonly size?: number
}

/** The icon of a server, tool, resource or prompt, where there is one that may be shown. Loads nothing unasked. */
export function PeerIcon({ server, icons, size = 18 }: PeerIconProps): ReactElement | null {
  const { icon, url, isAllowed } = usePeerIcon(server, icons)
  const load = useContext(IconLoader)
  useEffect(() => {
    if (icon?.kind === 'remote' && isAllowed && load) void loadIcon(load, server, icon.src)
  }, [icon, isAllowed, load, server])
  if (url === undefined) return null
  return <img className="peer-icon" src={url} alt="" width={size} height={size} />
}

/** Asks before an icon is loaded from elsewhere, and says from where; nothing where there is no need to. */
export function LoadPeerIcon({ server, icons }: Omit<PeerIconProps, 'size'>): ReactElement | null {
  const { icon, isAllowed } = usePeerIcon(server, icons)
  const load = useContext(IconLoader)
  if (icon?.kind !== 'remote' || isAllowed || load === undefined) return null
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      ml={-7}
      leftSection={<Icon name="image" size={13} />}
      onClick={() => allowHost(server, icon.host)}
    >
      Load icons from {icon.host}
    </Button>
  )
}

function usePeerIcon(server: string, icons: unknown) {
  const theme = useComputedColorScheme('light')
  const icon = useMemo(() => readIcon(icons, theme), [icons, theme])
  const isAllowed = useLoadedIcons(
    ({ allowed }) => icon?.kind === 'remote' && allowed.has(keyOfIcon(server, icon.host)),
  )
  const loaded = useLoadedIcons(({ urls }) =>
    icon?.kind === 'remote' ? urls[keyOfIcon(server, icon.src)] : undefined,
  )
  const url = icon?.kind === 'inline' ? icon.url : (loaded ?? undefined)
  return { icon, url, isAllowed }
}
