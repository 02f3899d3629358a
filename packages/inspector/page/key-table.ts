import {
  groupKeys,
  listKeys,
  pageKeys,
  traceKeys,
  type KeyGroup,
  type KeyTable,
} from '@parley/page/shell/key-table'

import { tabs } from './tabs.ts'

/** Every key of the page. Handlers ask `findKey`, the list of keys shows the table: neither can know more than the other. */
export const keyTable = {
  ...pageKeys,
  trace: { keys: ['t'], place: 'page', does: 'Show or hide the trace' },
  fullTrace: { keys: ['T'], place: 'page', does: 'The trace on the full page, and back' },
  ...listKeys,
  ...traceKeys,
} as const satisfies KeyTable

/** Begins a pair: the letter of a tab follows. */
export const chordStart = 'g'

/** The list of keys, as it is shown. */
export const keyGroups: readonly KeyGroup[] = [
  ...groupKeys(keyTable),
  {
    title: 'Tabs',
    rows: tabs.map(({ letter, label }) => ({ keys: [`${chordStart} ${letter}`], does: label })),
  },
]
