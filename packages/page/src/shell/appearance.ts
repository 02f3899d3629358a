/** The colours of the page, kept on this machine as `public/scheme.js` reads them before the first paint. */

import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core'

import { setFlag, useFlags } from './flags.ts'
import type { PaletteItem } from './palette.tsx'

/** Reads and keeps the choice; `PageFrame` gives it to the theme. */
export const colourScheme = localStorageColorSchemeManager({ key: 'parley-colour-scheme' })

/** Set by the frame of the page: the theme's own way to change the scheme. */
export const applied: { set: (scheme: MantineColorScheme) => void } = { set: () => undefined }

/** Commands that change how the page looks. */
export const appearanceCommands: readonly PaletteItem[] = [
  colours('light', 'Appearance: light', 'sun'),
  colours('dark', 'Appearance: dark', 'moon'),
  colours('auto', 'Appearance: as the system', 'monitor'),
  {
    id: 'density',
    label: 'Appearance: change the density',
    icon: 'rows',
    run: () => setFlag('isCompact', !useFlags.getState().isCompact),
  },
]

function colours(
  scheme: MantineColorScheme,
  label: string,
  icon: PaletteItem['icon'],
): PaletteItem {
  return { id: `colours ${scheme}`, label, icon, run: () => applied.set(scheme) }
}
