/** Where a key works. */
export type KeyScope = 'page' | 'list' | 'trace'

/** A key of a page. */
export interface KeyEntry {
  /** As `keyTextOf` writes them; two after a blank are pressed one after the other. */
  readonly keys: readonly string[]
  readonly place: KeyScope
  readonly does: string
}

/** The keys of a page, by name. */
export type KeyTable = Readonly<Record<string, KeyEntry>>

/** Keys that every page has. */
export const pageKeys = {
  palette: { keys: ['Mod+k'], place: 'page', does: 'Search or run a command' },
  settings: { keys: ['Mod+,'], place: 'page', does: 'Settings' },
  keys: { keys: ['?'], place: 'page', does: 'Keyboard shortcuts' },
  run: { keys: ['Mod+Enter'], place: 'page', does: 'Run' },
  cancel: { keys: ['Escape'], place: 'page', does: 'Cancel what runs, or close' },
  nextPane: { keys: ['F6'], place: 'page', does: 'Next part of the page' },
  previousPane: { keys: ['Shift+F6'], place: 'page', does: 'Previous part of the page' },
  search: { keys: ['/'], place: 'page', does: 'Search in the list' },
} as const satisfies KeyTable

/** Keys of lists to pick from. */
export const listKeys = {
  down: { keys: ['j', 'ArrowDown'], place: 'list', does: 'Next in a list' },
  up: { keys: ['k', 'ArrowUp'], place: 'list', does: 'Previous in a list' },
  farDown: { keys: ['PageDown'], place: 'list', does: 'Some further' },
  farUp: { keys: ['PageUp'], place: 'list', does: 'Some back' },
  first: { keys: ['Home'], place: 'list', does: 'First' },
  last: { keys: ['End'], place: 'list', does: 'Last' },
  open: { keys: ['Enter'], place: 'list', does: 'Open what is picked' },
} as const satisfies KeyTable

/** Keys of the trace viewer. */
export const traceKeys = {
  replay: { keys: ['.'], place: 'trace', does: 'Replay what is picked in the trace' },
  previousMessage: { keys: ['['], place: 'trace', does: 'Previous in the trace, from anywhere' },
  nextMessage: { keys: [']'], place: 'trace', does: 'Next in the trace, from anywhere' },
  unfold: { keys: ['ArrowRight'], place: 'trace', does: 'Show what it led to' },
  fold: { keys: ['ArrowLeft'], place: 'trace', does: 'Hide what it led to' },
  zoomIn: { keys: ['z'], place: 'trace', does: 'Look at the time of what is picked' },
  zoomOut: { keys: ['Z'], place: 'trace', does: 'Look at all of the time' },
} as const satisfies KeyTable

/** What the keys of a place are called in a table. */
export type KeyOf<Table extends KeyTable, Place extends KeyScope> = {
  [Name in keyof Table]: Table[Name]['place'] extends Place ? Name : never
}[keyof Table]

/** What was pressed. */
export interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

/** What was pressed, as a table writes it. */
export function keyTextOf(event: PressedKey): string {
  const isNamed = event.key.length > 1
  const key = isNamed || event.shiftKey ? event.key : event.key.toLowerCase()
  const shift = isNamed && event.shiftKey ? 'Shift+' : ''
  return `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${shift}${key}`
}

/** Which key of a place that is. */
export function findKey<Table extends KeyTable, Place extends KeyScope>(
  table: Table,
  event: PressedKey,
  location: Place,
): KeyOf<Table, Place> | undefined {
  const text = keyTextOf(event)
  for (const [name, entry] of Object.entries<KeyEntry>(table)) {
    if (entry.place === location && entry.keys.includes(text)) return name as KeyOf<Table, Place> // of this place, just looked
  }
  return undefined
}

/** A row of the list of keys. */
export interface KeyRow {
  readonly keys: readonly string[]
  readonly does: string
}

/** Rows that belong together. */
export interface KeyGroup {
  readonly title: string
  readonly rows: readonly KeyRow[]
}

const groupTitles: Readonly<Record<KeyScope, string>> = {
  page: 'Everywhere',
  list: 'In lists',
  trace: 'In the trace',
}

const shown: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageDown: 'Page ↓',
  PageUp: 'Page ↑',
}

/** A table as the list of keys shows it. */
export function groupKeys(table: KeyTable): readonly KeyGroup[] {
  return (['page', 'list', 'trace'] as const)
    .map((location) => ({
      title: groupTitles[location],
      rows: Object.values(table)
        .filter((entry) => entry.place === location)
        .map(({ keys, does }) => ({ keys: keys.flatMap(showKey), does })),
    }))
    .filter(({ rows }) => rows.length > 0)
}

const isMac = typeof navigator === 'object' && /Mac|iPhone|iPad/.test(navigator.platform)

/** Returns the keys as this keyboard names them. */
function showKey(text: string): readonly string[] {
  const parts = text.split('+').map((part) => shown[part] ?? part)
  const [first, ...rest] = parts
  if (first !== 'Mod') return [parts.join(' ')]
  const key = rest
    .map((part) =>
      /^[A-Z]$/.test(part) ? `Shift ${part}` : part.length === 1 ? part.toUpperCase() : part,
    )
    .join(' ')
  return [isMac ? `⌘ ${key}` : `Ctrl ${key}`]
}
