import type { ReactElement } from 'react'

/** Lines on a grid of 24 by 24, drawn for this page: nothing is loaded from another origin. */
const drawings = {
  branch:
    'M7 4v11M7 15a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M17 4a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M17 9c0 4-4 4.5-8 6',
  pencil: 'M5 19l1-4L15.5 5.5l3 3L9 18zM13.5 7.5l3 3',
  arrowUp: 'M12 19V5.5M6 11.5l6-6 6 6',
  help: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M9.7 9.8a2.4 2.4 0 1 1 3.4 2.4c-.8.4-1.1.8-1.1 1.6M12 16.6v.2',
  shieldCheck: 'M12 3.5 19 6v5.5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6zM9 12l2.2 2.2L15.2 10',
  database:
    'M5 6.5C5 5.1 8.1 4 12 4s7 1.1 7 2.5S15.9 9 12 9 5 7.9 5 6.5M5 6.5v11C5 18.9 8.1 20 12 20s7-1.1 7-2.5v-11M5 12c0 1.4 3.1 2.5 7 2.5s7-1.1 7-2.5',
  package: 'M12 3.5 19.5 7.5v9L12 20.5 4.5 16.5v-9zM4.5 7.5 12 11.5l7.5-4M12 11.5v9',
  alert: 'M12 4 21 19.5H3zM12 10v4M12 16.8v.2',
  bell: 'M6.5 10a5.5 5.5 0 0 1 11 0c0 5 2 6 2 6.5h-15c0-.5 2-1.5 2-6.5M10 19.5a2.2 2.2 0 0 0 4 0',
  bolt: 'M13 3 5 13.5h6L10 21l8.5-11H12z',
  bookmark: 'M7 4h10a1 1 0 0 1 1 1v15l-6-4-6 4V5a1 1 0 0 1 1-1z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  chevronDown: 'm7 10 5 5 5-5',
  chevronLeft: 'm14 7-5 5 5 5',
  chevronRight: 'm10 7 5 5-5 5',
  chevronUp: 'm7 14 5-5 5 5',
  circle: 'M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 8v4.5l3 2',
  code: 'm8.5 7-5 5 5 5M15.5 7l5 5-5 5',
  command:
    'M9 9V6.5A2.5 2.5 0 1 0 6.5 9H9zm0 0h6m-6 0v6m6-6V6.5A2.5 2.5 0 1 1 17.5 9H15zm0 0v6m0 0H9m6 0v2.5a2.5 2.5 0 1 0 2.5-2.5H15zm-6 0H6.5A2.5 2.5 0 1 0 9 17.5V15z',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  cross: 'm6.5 6.5 11 11m0-11-11 11',
  dots: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  download: 'M12 4v11m-4.5-4L12 15.5l4.5-4.5M5 20h14',
  expand: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5',
  external: 'M10 5H5v14h14v-5M13 5h6v6M19 5l-9 9',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.3a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4',
  file: 'M13.5 3.5H6v17h12V8zm0 0V8H18',
  folder: 'M3.5 18.5v-13h6l2 2.5h9v10.5z',
  gauge: 'M4.5 18a9 9 0 1 1 15 0M12 14l4-5M12 13.6v.2',
  gear: 'M4 7.5h8.5M16.5 7.5H20M4 16.5h3.5M11.5 16.5H20M12.5 7.5a2 2 0 1 0 4 0 2 2 0 0 0-4 0M7.5 16.5a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  globe: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M4 12h16M12 4c5 5 5 11 0 16M12 4c-5 5-5 11 0 16',
  half: 'M12 5a7 7 0 1 1 0 14 7 7 0 0 1 0-14M12 5v14M14.5 6.5v11M17 8.5v7',
  history: 'M4.5 12A7.5 7.5 0 1 0 7 6.4L4.5 8.5M4.5 4.5v4h4M12 8v4.5l3 1.5',
  image: 'M4 5.5h16v13H4zM4 16l4.5-4.5 4 4 3-3 4.5 4.5M15.5 9.3h.01',
  inbox: 'M4 13.5 6.5 5h11l2.5 8.5V19H4zm0 0h4.5c0 4.5 7 4.5 7 0H20',
  info: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16M12 11v5M12 8v.2',
  key: 'M8 10.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8M11 12 19.5 4.5M16 7.5l2.5 2.5',
  keyboard: 'M3.5 7h17v10.5h-17zM7 10.5h.01M10.3 10.5h.01M13.6 10.5h.01M17 10.5h.01M8 14h8',
  link: 'M10 14a4 4 0 0 0 5.8 0l3-3a4.1 4.1 0 0 0-5.8-5.8l-1 1M14 10a4 4 0 0 0-5.8 0l-3 3a4.1 4.1 0 0 0 5.8 5.8l1-1',
  list: 'M4.5 7h.01M4.5 12h.01M4.5 17h.01M8.5 7h11M8.5 12h11M8.5 17h11',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 1 1 7 0v3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  message: 'M5 5h14v11h-7l-4.5 4V16H5z',
  monitor: 'M4 5h16v11H4zM9 20h6M12 16v4',
  moon: 'M19.5 14A8 8 0 0 1 10 4.5 8 8 0 1 0 19.5 14z',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  play: 'M8 5.5v13l10.5-6.5z',
  plug: 'M9 4v5M15 4v5M6.5 9h11v2.5a5.5 5.5 0 0 1-11 0zM12 17v4',
  plus: 'M12 5.5v13M5.5 12h13',
  refresh: 'M19 12a7 7 0 1 1-2-5l2 2M19 4.5V9h-4.5',
  repeat:
    'M5 11V9.5A2.5 2.5 0 0 1 7.5 7H19m-3-3 3 3-3 3M19 13v1.5a2.5 2.5 0 0 1-2.5 2.5H5m3 3-3-3 3-3',
  rows: 'M4 5.5h16v13H4zM4 10h16M4 14.3h16',
  search: 'M10.5 4.5a6 6 0 1 1 0 12 6 6 0 0 1 0-12M15 15l5 5',
  server: 'M4.5 5h15v5.5h-15zM4.5 13.5h15V19h-15zM8 7.8h.01M8 16.2h.01',
  shield: 'M12 3.5 19 6v5.5c0 4.5-3 7.5-7 9-4-1.5-7-4.5-7-9V6z',
  shrink: 'M4 9h5V4M20 9h-5V4M4 15h5v5M20 15h-5v5',
  spark: 'M12 4l1.8 5.2L19 11l-5.2 1.8L12 18l-1.8-5.2L5 11l5.2-1.8zM19 16v4M17 18h4',
  stop: 'M7 7h10v10H7z',
  sun: 'M12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4',
  tag: 'M4 4.5h8l8 8-7.5 7.5-8.5-8.5zM8 8.5h.01',
  terminal: 'M3.5 5h17v14h-17zM7 9.5l3 2.5-3 2.5M12.5 15H17',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13',
  wave: 'M3.5 12h3l2.5-7 4 14 3-9 1.5 2h3',
  wrench:
    'M20 7.5a5 5 0 0 1-6.8 5.6L7.5 19a2 2 0 0 1-3-3l6-5.6A5 5 0 0 1 16.5 4l-2.7 2.8.4 2.8 2.9.5z',
} as const satisfies Readonly<Record<string, string>>

/** The name of a drawing. */
export type IconName = keyof typeof drawings

export interface IconProps {
  readonly name: IconName
  readonly size?: number
  readonly className?: string
}

/** An ornament beside a word: screen readers skip it. */
export function Icon({ name, size = 16, className }: IconProps): ReactElement {
  return (
    <svg
      className={className === undefined ? 'icon' : `icon ${className}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 3 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={drawings[name]} />
    </svg>
  )
}
