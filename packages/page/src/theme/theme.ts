import {
  ActionIcon,
  Button,
  createTheme,
  Drawer,
  Input,
  InputWrapper,
  Kbd,
  Menu,
  Modal,
  Notification,
  SegmentedControl,
  Tooltip,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'

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
    components: {
      ActionIcon: ActionIcon.extend({
        defaultProps: { variant: 'subtle', color: 'gray', size: isCompact ? 28 : 32 },
      }),
      Button: Button.extend({ defaultProps: { size } }),
      Input: Input.extend({ defaultProps: { size } }),
      InputWrapper: InputWrapper.extend({ defaultProps: { size } }),
      Drawer: Drawer.extend({ defaultProps: { overlayProps } }),
      Kbd: Kbd.extend({ defaultProps: { size: 'sm' } }),
      Menu: Menu.extend({ defaultProps: { shadow: 'md', withinPortal: true } }),
      Modal: Modal.extend({
        defaultProps: {
          centered: true,
          overlayProps,
          closeButtonProps: { 'aria-label': 'Close' },
        },
      }),
      Notification: Notification.extend({
        defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      }),
      SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'xs' } }),
      Tooltip: Tooltip.extend({ defaultProps: { openDelay: 350, fz: 12 } }),
    },
  })
}
