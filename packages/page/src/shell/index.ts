export { Entrance } from './entrance.tsx'
export type { EntranceProps } from './entrance.tsx'
export { keepFlag, keepText, readFlag, readText, setFlag, useFlags } from './flags.ts'
export type { Flags } from './flags.ts'
export { keepFocus, returnFocus } from './focus-return.ts'
export { usePageKeys } from './keys.ts'
export type { PageKeysOptions } from './keys.ts'
export { modifier } from './page-header.tsx'
export { PageShell } from './page-shell.tsx'
export type { PageShellProps } from './page-shell.tsx'
export type { PaletteGroup, PaletteItem } from './palette.tsx'
export {
  closeOver,
  closeSettings,
  openOver,
  openPalette,
  openSettings,
  useShellState,
} from './place.ts'
export type { SettingsSection } from './settings-page.tsx'
