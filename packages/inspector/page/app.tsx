import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useEffect, useMemo, type ReactElement } from 'react'

import { Announcer } from './shell/announcer.tsx'
import { Entrance } from './shell/entrance.tsx'
import { Shell } from './shell/shell.tsx'
import { useStore } from './store.ts'
import { makeTheme } from './theme.ts'
import { useView } from './view.ts'

const colorSchemeManager = localStorageColorSchemeManager({ key: 'parley-colour-scheme' })

/** The whole page. */
export function App(): ReactElement {
  const isCompact = useView((view) => view.isCompact)
  const isReady = useStore((store) => store.isReady)
  const status = useStore((store) => store.status)
  const theme = useMemo(() => makeTheme(isCompact), [isCompact])

  useEffect(() => {
    document.documentElement.dataset['density'] = isCompact ? 'compact' : 'comfortable'
  }, [isCompact])

  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      {isReady && status !== 'refused' ? <Shell /> : <Entrance status={status} />}
      <Notifications position="bottom-right" />
      <Announcer />
    </MantineProvider>
  )
}
