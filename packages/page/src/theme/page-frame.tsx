import { MantineProvider, useMantineColorScheme } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useEffect, useMemo, type ReactElement, type ReactNode } from 'react'

import { applied, colourScheme } from '../shell/appearance.ts'
import { useFlags } from '../shell/flags.ts'
import { Announcer } from './announcer.tsx'
import { ProgramContext, type Program } from './program.ts'
import { makeTheme } from './theme.ts'

export interface PageFrameProps {
  readonly program: Program
  readonly children: ReactNode
}

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
        <Notifications position="bottom-right" />
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
