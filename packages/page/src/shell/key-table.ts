import { tabs } from './tabs.ts'

/** Where a key works. */
export type KeyPlace = 'page' | 'list' | 'trace'

interface KeyEntry {
  /** As `keyTextOf` writes them; two after a blank are pressed one after the other. */
  readonly keys: readonly string[]
  readonly place: KeyPlace
  readonly does: string
}

/** Every key of the page. Handlers ask `findKey`, the list of keys shows the table: neither can know more than the other. */
export const keyTable = {
  palette: {
    keys: ['Mod+k'],
    place: 'page',
    does: 'Palette: servers, tools, prompts, resources, commands',
  },
  keys: { keys: ['?'], place: 'page', does: 'This list' },
  run: { keys: ['Mod+Enter'], place: 'page', does: 'Run' },
  cancel: { keys: ['Escape'], place: 'page', does: 'Cancel what runs, or close' },
  nextPane: { keys: ['F6'], place: 'page', does: 'Next part of the page' },
  previousPane: { keys: ['Shift+F6'], place: 'page', does: 'Previous part of the page' },
  search: { keys: ['/'], place: 'page', does: 'Search in the list' },
  trace: { keys: ['t'], place: 'page', does: 'Show or hide the trace' },
  fullTrace: { keys: ['T'], place: 'page', does: 'The trace on the full page, and back' },
  down: { keys: ['j', 'ArrowDown'], place: 'list', does: 'Next in a list' },
  up: { keys: ['k', 'ArrowUp'], place: 'list', does: 'Previous in a list' },
  farDown: { keys: ['PageDown'], place: 'list', does: 'Some further' },
  farUp: { keys: ['PageUp'], place: 'list', does: 'Some back' },
  first: { keys: ['Home'], place: 'list', does: 'First' },
  last: { keys: ['End'], place: 'list', does: 'Last' },
  open: { keys: ['Enter'], place: 'list', does: 'Open what is picked' },
  replay: { keys: ['.'], place: 'trace', does: 'Replay what is picked in the trace' },
  previousMessage: { keys: ['['], place: 'trace', does: 'Previous in the trace, from anywhere' },
  nextMessage: { keys: [']'], place: 'trace', does: 'Next in the trace, from anywhere' },
  unfold: { keys: ['ArrowRight'], place: 'trace', does: 'Show what it led to' },
  fold: { keys: ['ArrowLeft'], place: 'trace', does: 'Hide what it led to' },
  zoomIn: { keys: ['z'], place: 'trace', does: 'Look at the time of what is picked' },
  zoomOut: { keys: ['Z'], place: 'trace', does: 'Look at all of the time' },
} as const satisfies Readonly<Record<string, KeyEntry>>

/** The name of a key in the table. */
export type KeyName = keyof typeof keyTable

/** What a key of a place is called. */
export type KeyOf<Place extends KeyPlace> = {
  [Name in KeyName]: (typeof keyTable)[Name]['place'] extends Place ? Name : never
}[KeyName]

/** Begins a pair: the letter of a tab follows. */
export const chordStart = 'g'

/** What was pressed, as the table writes it. */
export function keyTextOf(event: {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}): string {
  const isNamed = event.key.length > 1
  const key = isNamed || event.shiftKey ? event.key : event.key.toLowerCase()
  const shift = isNamed && event.shiftKey ? 'Shift+' : ''
  return `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${shift}${key}`
}

/** Which key of a place that is. */
export function findKey<Place extends KeyPlace>(
  event: Parameters<typeof keyTextOf>[0],
  place: Place,
): KeyOf<Place> | undefined {
  const text = keyTextOf(event)
  for (const [name, entry] of Object.entries<KeyEntry>(keyTable)) {
    if (entry.place === place && entry.keys.includes(text)) return name as KeyOf<Place> // of this place, just looked
  }
  return undefined
}

/** A row of the list of keys. */
export interface KeyRow {
  readonly keys: readonly string[]
  readonly does: string
}

const groupTitles: Readonly<Record<KeyPlace, string>> = {
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

/** The list of keys, as it is shown. */
export const keyGroups: readonly { readonly title: string; readonly rows: readonly KeyRow[] }[] = [
  ...(['page', 'list', 'trace'] as const).map((place) => ({
    title: groupTitles[place],
    rows: Object.values<KeyEntry>(keyTable)
      .filter((entry) => entry.place === place)
      .map(({ keys, does }) => ({ keys: keys.flatMap(showKey), does })),
  })),
  {
    title: 'Tabs',
    rows: tabs.map(({ letter, label }) => ({ keys: [`${chordStart} ${letter}`], does: label })),
  },
]

/** As it stands on keyboards, of both kinds. */
function showKey(text: string): readonly string[] {
  const parts = text.split('+').map((part) => shown[part] ?? part)
  const [first, ...rest] = parts
  if (first !== 'Mod') return [parts.join(' ')]
  const key = rest.map((part) => (part.length === 1 ? part.toUpperCase() : part)).join(' ')
  return [`Ctrl ${key}`, `⌘ ${key}`]
}
