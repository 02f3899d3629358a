import { MantineProvider, useMantineColorScheme } from '@mantine/core'
import { useEffect, useMemo, type ReactElement, type ReactNode } from 'react'

import { createLoadable } from '../parts/loadable.ts'
import { Loaded } from '../parts/loaded.tsx'
import { applied, colourScheme } from '../shell/appearance.ts'
import { useFlags } from '../shell/flags.ts'
import { Announcer } from './announcer.tsx'
import { ProgramContext, type Program } from './program.ts'
import { makeTheme } from './theme.ts'

export interface PageFrameProps {
  readonly program: Program
  readonly children: ReactNode
}

/** What was notified before it is here is shown then. */
const notifications = createLoadable(
  async () => (await import('@mantine/notifications')).Notifications,
)

/** Around a whole page: theme, colours, density, notifications, and the live region for screen readers. */
export function PageFrame({ program, children }: PageFrameProps): ReactElement {
  const isCompact = useFlags((flags) => flags.isCompact)
  const theme = useMemo(() => makeTheme(isCompact), [isCompact])

  useEffect(() => {
    document.documentElement.dataset['density'] = isCompact ? 'compact' : 'comfortable'
  }, [isCompact])

  return (
    <ProgramContext value={program}>
      <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colourScheme}>
        <SchemeCommands />
        {children}
        <Loaded part={notifications} name="Notifications" isQuiet>
          {(Notifications) => <Notifications position="bottom-right" />}
        </Loaded>
        <Announcer />
      </MantineProvider>
    </ProgramContext>
  )
}

/** Lets commands change the colours. */
function SchemeCommands(): null {
  const { setColorScheme } = useMantineColorScheme()
  useEffect(() => {
    applied.set = setColorScheme
  }, [setColorScheme])
  return null
}
