import { usePageKeys } from '@parley/page/shell'

import { chordStart, keyTable } from '../key-table.ts'
import { tabs } from '../tabs.ts'
import { showTab, toggleFullTrace, toggleTrace } from '../view.ts'

/** The keys of the whole page. */
export function useKeys(): void {
  usePageKeys({
    table: keyTable,
    letters: {
      trace: toggleTrace,
      fullTrace: toggleFullTrace,
    },
    chords: {
      start: chordStart,
      follow(letter) {
        const tab = tabs.find((candidate) => candidate.letter === letter)
        if (tab) showTab(tab.id)
      },
    },
  })
}
