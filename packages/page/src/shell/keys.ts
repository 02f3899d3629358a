import { useEffect } from 'react'

import { useFlags } from './flags.ts'
import { findKey, listKeys, pageKeys, type KeyOf, type KeyTable } from './key-table.ts'
import { openOver, openPalette, openSettings, useShellState } from './place.ts'

/** Time for the letter after the first one of a pair. */
const chordMs = 1500

/** What the keys of a page do, besides those that do the same on every page. */
export interface PageKeysOptions {
  readonly table: KeyTable
  /** Single letters and commands, by their names in the table. Without an entry here, `search` focuses the first `[data-search]`. */
  readonly letters?: Readonly<Record<string, () => void>>
  /** Pairs: the letter that begins one, and what to do with the one that follows. */
  readonly chords?: {
    readonly start: string
    readonly follow: (letter: string) => void
  }
}

/**
 * The keys of the whole page. Single letters are off in fields, and where the user switched them off. The page marks its
 * parts: `[data-pane]`, `#workspace`, `[data-list]`, `[data-search]`, `[data-run]`, `[data-cancel]`. The options are those
 * of the first call.
 */
export function usePageKeys(options: PageKeysOptions): void {
  useEffect(() => {
    const { table, chords } = options
    const letters: Readonly<Record<string, () => void>> = {
      search: () => focusFirst('[data-search]'),
      keys: () => openOver('keys'),
      ...options.letters,
    }
    let chordUntil = 0
    let hadPopup = false

    /** Before anybody else: who closes a menu by `Esc` does not want to cancel what is behind it. */
    function onCapture() {
      hadPopup = isPopupOpen()
    }

    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const common = findKey(pageKeys, event, 'page')
      if (common !== undefined && isAlways(common)) {
        if (always[common](event)) event.preventDefault()
        return
      }
      if (event.ctrlKey || event.metaKey) {
        const command = findKey(table, event, 'page')
        const act = command === undefined || isDialogOpen() ? undefined : letters[command]
        if (act === undefined) return
        act()
        event.preventDefault()
        return
      }
      if (isField(event.target) || isDialogOpen() || !useFlags.getState().hasLetterKeys) return
      if (useShellState.getState().isSettings) return

      const key = findKey(table, event, 'page')
      const isChord = event.timeStamp < chordUntil
      chordUntil = 0
      if (isChord) chords?.follow(event.key)
      else if (event.key === chords?.start) chordUntil = event.timeStamp + chordMs
      else if (key !== undefined) letters[key]?.()
      else if (event.key.length > 1 || !moveByLetter(event)) return
      event.preventDefault()
    }

    const always: Readonly<Record<AlwaysKey, (event: KeyboardEvent) => boolean>> = {
      palette() {
        if (!isDialogOpen()) openPalette()
        return true
      },
      settings() {
        if (!isDialogOpen()) openSettings()
        return true
      },
      run: () => press('[data-run]'),
      nextPane: () => focusNextPane(1),
      previousPane: () => focusNextPane(-1),
      // In a field it stops what runs, and nothing else: an answer that is being written stays.
      cancel({ target }) {
        if (!hadPopup) press(isField(target) ? '[data-cancel=run]' : '[data-cancel]')
        return false
      },
    }

    document.addEventListener('keydown', onCapture, { capture: true })
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onCapture, { capture: true })
      document.removeEventListener('keydown', onKeyDown)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the keys of a page do not change
  }, [])
}

/** Keys that work in fields too. */
type AlwaysKey = 'palette' | 'settings' | 'run' | 'cancel' | 'nextPane' | 'previousPane'

function isAlways(key: KeyOf<typeof pageKeys, 'page'>): key is AlwaysKey {
  return key !== 'keys' && key !== 'search'
}

/** Letters that stand for an arrow, wherever the focus is. */
function moveByLetter(event: KeyboardEvent): boolean {
  const key = findKey(listKeys, event, 'list')
  if (key !== 'down' && key !== 'up') return false
  moveInList(key === 'down' ? 'ArrowDown' : 'ArrowUp')
  return true
}

/** Goes round the parts of the page that take the focus. */
function focusNextPane(step: 1 | -1): boolean {
  if (isDialogOpen()) return true
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (pane) => pane.offsetParent !== null && pane.querySelector('[data-pane]') === null,
  )
  const at = panes.findIndex((pane) => pane.contains(document.activeElement))
  const pane = panes[(at + step + panes.length) % panes.length]
  if (!pane) return true
  const target = pane.querySelector<HTMLElement>(
    '[data-list], [data-rail][aria-current], [data-focus]',
  )
  ;(target ?? pane).focus()
  return true
}

/** The list around the focus, or the first one in sight. */
function moveInList(key: string) {
  const active = document.activeElement
  const rail = active?.closest('.rail-list')
  if (rail) {
    moveFocus([...rail.querySelectorAll<HTMLElement>('[data-rail]')], key === 'ArrowDown' ? 1 : -1)
    return
  }
  const own = active?.closest<HTMLElement>('[data-list]')
  const list = own ?? document.querySelector<HTMLElement>('#workspace [data-list]')
  if (!list) return
  if (list !== own) list.focus()
  list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}

function moveFocus(items: readonly HTMLElement[], step: number) {
  const at = items.findIndex((item) => item === document.activeElement)
  items[Math.min(items.length - 1, Math.max(0, at + step))]?.focus()
}

/** Presses the button in sight that carries this mark. */
function press(selector: string): boolean {
  const scope = document.querySelector('[role=dialog]') ?? document
  const button = [...scope.querySelectorAll<HTMLButtonElement>(selector)].find(
    (candidate) => candidate.offsetParent !== null && !candidate.disabled,
  )
  button?.click()
  return button !== undefined
}

function focusFirst(selector: string) {
  const found = [...document.querySelectorAll<HTMLElement>(`#workspace ${selector}`)].find(
    (candidate) => candidate.offsetParent !== null,
  )
  found?.focus()
}

function isPopupOpen(): boolean {
  const popups = '[role=dialog], [role=menu], [role=listbox]:not([data-list])'
  return [...document.querySelectorAll(popups)].some(
    (candidate) => candidate.getClientRects().length > 0,
  )
}

function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null
}

/** Whether letters typed there are text. */
export function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) {
    return !['button', 'checkbox', 'radio', 'range', 'submit'].includes(target.type)
  }
  return target.isContentEditable || target.matches('textarea, select')
}
