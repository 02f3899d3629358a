import { createTheme, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core'

const iris: MantineColorsTuple = [
  '#f2f1ff',
  '#e3e2fd',
  '#c6c4f8',
  '#a7a4f2',
  '#8b87ea',
  '#6f69e0',
  '#5e57d9',
  '#5049c4',
  '#443daa',
  '#37318c',
]

/** Cool greys: text, lines and grounds of the dark scheme. */
const dark: MantineColorsTuple = [
  '#e6e8ee',
  '#b9bdca',
  '#9ca1b1',
  '#6e7385',
  '#3a3f4d',
  '#2b2f3b',
  '#20232d',
  '#171a21',
  '#12141a',
  '#0c0e12',
]

/** One theme for light and dark; the density decides sizes. */
export function makeTheme(isCompact: boolean): MantineThemeOverride {
  const size = isCompact ? 'xs' : 'sm'
  const overlayProps = { blur: 0, backgroundOpacity: 1, color: 'var(--overlay)' }
  return createTheme({
    primaryColor: 'iris',
    primaryShade: { light: 7, dark: 6 },
    colors: { iris, dark },
    black: '#14161c',
    defaultRadius: 6,
    cursorType: 'pointer',
    respectReducedMotion: true,
    fontFamily:
      '"Inter Variable", Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
    fontFamilyMonospace:
      'ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
    fontSizes: { xs: '12px', sm: '13px', md: '15px', lg: '18px', xl: '24px' },
    headings: { fontWeight: '600' },
    // Plain objects: naming a component here must not make every page load it.
    components: {
      ActionIcon: {
        defaultProps: { variant: 'subtle', color: 'gray', size: isCompact ? 28 : 32 },
      },
      Button: { defaultProps: { size } },
      Input: { defaultProps: { size } },
      InputWrapper: { defaultProps: { size } },
      Drawer: { defaultProps: { overlayProps } },
      Kbd: { defaultProps: { size: 'sm' } },
      Menu: { defaultProps: { shadow: 'md', withinPortal: true } },
      Modal: {
        defaultProps: {
          centered: true,
          overlayProps,
          closeButtonProps: { 'aria-label': 'Close' },
        },
      },
      Notification: {
        defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      },
      SegmentedControl: { defaultProps: { size: 'xs' } },
      Tooltip: { defaultProps: { openDelay: 350, fz: 12 } },
    },
  })
}
