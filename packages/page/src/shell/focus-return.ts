/** Dialogs and the focus: where it was before one opened, it returns to. */

let focusBefore: HTMLElement | undefined

/** Called before a dialog opens. */
export function keepFocus(): void {
  focusBefore = findFocus()
}

/** Called after a dialog has closed. */
export function returnFocus(): void {
  setTimeout(() => {
    if (focusBefore?.isConnected === true) focusBefore.focus()
  })
}

/** What has the focus; for an item of a menu, which closes, the button that opened it. */
function findFocus(): HTMLElement | undefined {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')
  const button = menu && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`)
  const found = button ?? active
  return found instanceof HTMLElement ? found : undefined
}
