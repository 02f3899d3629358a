import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'

import { hasFocus } from '../../../../test-support/element-state.ts'
import { canOpen, everythingEntry, inspectorForAll, openTab } from './open-inspector.ts'

describe.skipIf(!canOpen)('the page for everybody', () => {
  let page: Page
  inspectorForAll(
    { servers: [{ name: 'everything', entry: everythingEntry, connect: true }] },
    async (opened) => {
      page = await opened.newPage({ dark: true })
    },
  )
  beforeEach(() => page.setViewportSize({ width: 1280, height: 720 }))

  test('colours come without a flash', async () => {
    expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
  })

  test('at 400 pixels the rail is a drawer, and list and tool come one after the other', async () => {
    await openTab(page, 'Tools')
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await page.setViewportSize({ width: 400, height: 800 })
    await page.getByRole('button', { name: 'Open the side bar' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^everything/ })
      .click()
    await openTab(page, 'Tools')
    await page.getByRole('button', { name: 'All tools' }).click() // one was open in the wide window
    await page.getByRole('option', { name: /(?:^|\s)echo / }).click()
    await page.getByRole('button', { name: 'All tools' }).click()
    await page.getByRole('option', { name: /(?:^|\s)echo / }).waitFor()
  })

  test('at 1024 pixels each tab is in the bar or in a menu, and no button is cut', async () => {
    await page.setViewportSize({ width: 1024, height: 700 })
    await openTab(page, 'Tools')
    await page.getByRole('option', { name: /(?:^|\s)get-sum / }).click()
    await page.getByRole('heading', { name: 'get-sum' }).waitFor()

    const cut = `[...document.querySelectorAll('#tool-call :is(button, label)')]
      .filter((one) => one.getClientRects().length > 0 && one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.textContent)`
    expect(await page.evaluate(cut)).toEqual([])
    const bar = await page.getByRole('tablist', { name: /^Parts of/ }).boundingBox()
    const last = await page.getByRole('tab', { name: 'Collections' }).boundingBox()
    const isLastCut = edgeOf(last) > edgeOf(bar)
    expect(await page.getByRole('button', { name: 'More tabs' }).isVisible()).toBe(isLastCut)

    await page.setViewportSize({ width: 500, height: 700 })
    await page.getByRole('button', { name: 'More tabs' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Collections' }).press('Enter')
    await page.getByRole('tab', { name: 'Collections', selected: true }).waitFor()
  })

  test('a tool is found, filled in and run by the keyboard alone', async () => {
    const { keyboard } = page

    await keyboard.press('g')
    await keyboard.press('t')
    await page.getByRole('listbox', { name: 'Tools' }).waitFor()
    await keyboard.press('/')
    await keyboard.type('echo')
    await keyboard.press('ArrowDown')
    await page.getByRole('heading', { name: 'echo' }).waitFor()
    await keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate("document.activeElement.closest('#tool-call') !== null"))
      .toBe(true)
    await keyboard.type('by keyboard')
    await keyboard.press('Control+Enter')
    await page.getByText('Echo: by keyboard').waitFor()
    await keyboard.press('F6')
    await keyboard.press('/')
    await keyboard.press('Escape')
    await keyboard.type('trigger-long')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'trigger-long-running-operation' }).waitFor()
    await keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    await keyboard.press('Escape')
    await page.getByText('cancelled', { exact: true }).first().waitFor()
  })

  test('the palette finds a tool by its name, and a dialog gives the focus back', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Palette' }).waitFor()
    await page.keyboard.type('image tiny') // the words in any order
    await page.getByRole('option', { name: /get-tiny-image/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'get-tiny-image' }).waitFor()

    const button = page.getByRole('button', { name: 'Add a server', exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => hasFocus(button)).toBe(true)
  })

  test('single letters do nothing in fields and can be switched off; F6 goes round the parts [WCAG 2.1.4]', async () => {
    const { keyboard } = page
    await openTab(page, 'Tools')
    await page.getByRole('textbox', { name: 'Search tools' }).fill('')
    await page.getByRole('textbox', { name: 'Search tools' }).press('g')
    await keyboard.press('r')
    expect(await page.getByRole('tab', { name: /^Tools/ }).getAttribute('aria-selected')).toBe(
      'true',
    )

    await keyboard.press('Escape')
    await keyboard.press('F6')
    const first = await page.evaluate("document.activeElement.closest('[data-pane]').ariaLabel")
    await keyboard.press('F6')
    const second = await page.evaluate("document.activeElement.closest('[data-pane]').ariaLabel")
    expect(second).not.toBe(first)

    await keyboard.press('Control+,')
    await page.getByRole('switch', { name: /Single-letter keys/ }).press('Space')
    await keyboard.press('Escape')
    await page.getByRole('tab', { name: /^Tools/ }).waitFor()
    await keyboard.press('g')
    await keyboard.press('r')
    expect(await page.getByRole('tab', { name: /^Tools/ }).getAttribute('aria-selected')).toBe(
      'true',
    )
  })
})

/** Where a box ends on the right. */
function edgeOf(box: { x: number; width: number } | null): number {
  return (box?.x ?? 0) + (box?.width ?? 0)
}
