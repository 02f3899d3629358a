import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { canOpen, everythingEntry, inspectorForAll } from '../page/open-inspector.ts'
import { resultIn } from './walk.ts'

describe.skipIf(!canOpen)('without a mouse', () => {
  const inspector = inspectorForAll({
    servers: [{ name: 'everything', entry: everythingEntry, connect: true }],
  })

  test('from the link to results, answers and a replay [INSP-04..06, INSP-08, INSP-10, PUI-03]', async () => {
    const page = await inspector.newPage({ trace: true })
    const { keyboard } = page

    await showTab(page, 't')
    await find(page, 'echo', ['Enter']) // the first tool is open already
    await keyboard.type('typed')
    await keyboard.press('Control+Enter')
    await resultIn(page).getByText('Echo: typed').waitFor()

    await showTab(page, 'p')
    await find(page, 'completable')
    await keyboard.type('E')
    await chooseFirst(page, 'Engineering')
    await keyboard.press('Tab')
    await keyboard.type('A')
    await chooseFirst(page, 'Alice')
    await keyboard.press('Control+Enter')
    await page.getByRole('list', { name: 'Messages' }).getByText(/Alice/).first().waitFor()

    await showTab(page, 'r')
    await find(page, 'features')
    await page.getByText(/read in/).waitFor()

    await showTab(page, 't')
    await find(page, 'trigger-elicitation')
    await keyboard.press('Control+Enter')
    await page.getByRole('button', { name: '1 request waits' }).waitFor()
    await showTab(page, 'q')
    await keyboard.press('/')
    await keyboard.press('Enter')
    await focusOn(page, 'Tab', /name|string/i)
    await keyboard.type('Ada')
    await keyboard.press('Control+Enter')
    await showTab(page, 't')
    await resultIn(page).getByText(/Ada/).first().waitFor()

    const rows = page.getByRole('grid', { name: 'Rows of the trace' })
    await focusOn(page, 'F6', /Rows of the trace/)
    await focusOn(page, 'Shift+Tab', /Filter of the trace/)
    await keyboard.type('method:tools/call text:typed')
    const calls = rows.getByRole('row').filter({ hasText: 'tools/call' })
    await expect.poll(() => calls.count()).toBe(1)
    await focusOn(page, 'Tab', /Rows of the trace/)
    await keyboard.press('Home')
    await keyboard.press('.')
    await expect.poll(() => calls.count()).toBe(2)

    await keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Palette' }).waitFor()
    await keyboard.type('args-prompt')
    await page.getByRole('option', { name: /args-prompt/, selected: true }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowUp')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'args-prompt' }).waitFor()
    expect(inspector.complaints).toEqual([])
  })
})

/** Out of whatever field has the focus, then `g` and the letter of the tab. */
async function showTab(page: Page, letter: string) {
  await focusOn(page, 'F6', /^(Servers|Workspace)$|^List of|^everything/)
  await page.keyboard.press('g')
  await page.keyboard.press(letter)
}

/** Searches the list and goes to what it finds. */
async function find(page: Page, text: string, keys = ['ArrowDown', 'Enter']) {
  await page.getByRole('listbox').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(text)
  for (const key of keys) await page.keyboard.press(key)
}

/** Takes the first value that the server offers. */
async function chooseFirst(page: Page, name: string) {
  await page.getByRole('option', { name }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}

/** Presses a key until something of that name has the focus. */
async function focusOn(page: Page, key: string, name: RegExp) {
  const seen: string[] = []
  for (let presses = 0; presses < 25; presses++) {
    const focused = String(
      await page.evaluate(`(() => {
        const active = document.activeElement
        const label = active.ariaLabel ?? active.labels?.[0]?.textContent
        return label ?? active.querySelector('.rail-name')?.textContent ?? active.textContent ?? ''
      })()`),
    )
    if (name.test(focused)) return
    seen.push(focused.slice(0, 40))
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never led to ${name}, only to ${seen.join(' | ')}`)
}
