import { useEffect } from 'react'

import { openDialog, setFlag, showTab, tabs, useView } from '../view.ts'

/** Time for the letter after `g`. */
const chordMs = 1500

/** What each key does, as the list of keys shows it. */
export const keyList: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Ctrl K', '⌘ K'], does: 'Palette: servers, tools, prompts, resources, commands' },
  { keys: ['?'], does: 'This list' },
  ...tabs.map(({ letter, label }) => ({ keys: ['g', letter], does: label })),
  { keys: ['j', 'k'], does: 'Next and previous in a list; the arrows do the same' },
  { keys: ['/'], does: 'Search in the list' },
  { keys: ['Enter'], does: 'Open what is picked' },
  { keys: ['Ctrl Enter', '⌘ Enter'], does: 'Run' },
  { keys: ['Esc'], does: 'Cancel what runs, or close' },
  { keys: ['F6', 'Shift F6'], does: 'Next and previous part of the page' },
  { keys: ['t'], does: 'Show or hide the trace' },
  { keys: ['.'], does: 'Replay the message picked in the trace' },
  { keys: ['[', ']'], does: 'Previous and next message in the trace' },
]

/** The keys of the whole page. Single letters are off in fields, and where the user switched them off. */
export function useKeys(): void {
  useEffect(() => {
    let chordUntil = 0
    let hadPopup = false

    /** Before anybody else: who closes a menu by `Esc` does not want to cancel what is behind it. */
    function onCapture() {
      hadPopup = isPopupOpen()
    }

    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return
      if (event.key === 'F6') {
        event.preventDefault()
        focusNextPane(event.shiftKey ? -1 : 1)
        return
      }
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
        if (press('[data-run]')) event.preventDefault()
        return
      }
      if (event.key === 'Escape') {
        // In a field it stops what runs, and nothing else: an answer that is being written stays.
        if (!hadPopup) press(isField(event.target) ? '[data-cancel=run]' : '[data-cancel]')
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (isField(event.target) || isDialogOpen() || !useView.getState().hasLetterKeys) return

      const isChord = event.timeStamp < chordUntil
      chordUntil = 0
      if (isChord) {
        const tab = tabs.find(({ letter }) => letter === event.key)
        if (tab) showTab(tab.id)
      } else if (event.key === 'g') chordUntil = event.timeStamp + chordMs
      else if (event.key === '?') openDialog({ kind: 'keys' })
      else if (event.key === '/') focusFirst('[data-search]')
      else if (event.key === 't') setFlag('isTraceOpen', !useView.getState().isTraceOpen)
      else if (event.key === 'j') moveInList('ArrowDown')
      else if (event.key === 'k') moveInList('ArrowUp')
      else return
      event.preventDefault()
    }

    document.addEventListener('keydown', onCapture, { capture: true })
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', onCapture, { capture: true })
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/** Goes round the parts of the page that take the focus. */
function focusNextPane(step: 1 | -1) {
  if (isDialogOpen()) return
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter(
    (pane) => pane.offsetParent !== null && pane.querySelector('[data-pane]') === null,
  )
  const at = panes.findIndex((pane) => pane.contains(document.activeElement))
  const pane = panes[(at + step + panes.length) % panes.length]
  if (!pane) return
  const target = pane.querySelector<HTMLElement>(
    '[data-list], [data-rail][aria-current], [data-focus]',
  )
  ;(target ?? pane).focus()
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
    (one) => one.offsetParent !== null && !one.disabled,
  )
  button?.click()
  return button !== undefined
}

function focusFirst(selector: string) {
  const found = [...document.querySelectorAll<HTMLElement>(`#workspace ${selector}`)].find(
    (one) => one.offsetParent !== null,
  )
  found?.focus()
}

function isPopupOpen(): boolean {
  const popups = '[role=dialog], [role=menu], [role=listbox]:not([data-list])'
  return [...document.querySelectorAll(popups)].some((one) => one.getClientRects().length > 0)
}

function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog]') !== null
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) {
    return !['button', 'checkbox', 'radio', 'range', 'submit'].includes(target.type)
  }
  return target.isContentEditable || target.matches('textarea, select')
}
