import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import {
  canOpen,
  everythingEntry,
  inspectorForAll,
  openTab,
  openTool,
  pick,
} from './open-inspector.ts'

/** Answers nothing for scripts of this name, as an inspector that was stopped. */
async function withhold(page: Page, name: string): Promise<() => Promise<void>> {
  const pattern = `**/${name}-*.js`
  await page.route(pattern, (route) => route.abort())
  return () => page.unroute(pattern)
}

describe.skipIf(!canOpen)('parts of the page', () => {
  let page: Page
  let giveBack: { readonly bench: () => Promise<void>; readonly editor: () => Promise<void> }
  const inspector = inspectorForAll(
    { servers: [{ name: 'everything', entry: everythingEntry, connect: true }] },
    async (opened) => {
      page = await opened.newPageAt('about:blank', { trace: true })
      giveBack = {
        bench: await withhold(page, 'bench-panel'),
        editor: await withhold(page, 'code-editor'),
      }
      await page.goto(opened.createUrl())
      await page.getByRole('tablist', { name: /^Parts of/ }).waitFor()
    },
  )

  test('that are not shown are not waited for', async () => {
    const other = await inspector.newPageAt('about:blank', { trace: true })
    await other.route('**/code-editor-*.js', () => {}) // never answered

    const answer = await other.goto(inspector.createUrl())
    await openTab(other, 'Overview')
    await other.getByRole('region', { name: 'What we requested' }).waitFor()
    await openTab(other, 'Bench')
    await other.getByRole('combobox', { name: 'Tool' }).waitFor()

    const document = await answer?.text()
    expect(document).toContain('<script type="module"')
    expect(document).not.toMatch(/code-editor|bench-panel|collections-panel|auth-panel/)
    await other.context().close()
  })

  test('that cannot be loaded say so, and can be tried again', async () => {
    await openTab(page, 'Bench')
    const note = page.getByRole('alert').filter({ hasText: 'Bench could not be loaded' })
    await note.waitFor()
    await openTab(page, 'Tools')
    await page
      .getByRole('listbox', { name: 'List of tools' })
      .or(page.getByRole('listbox'))
      .first()
      .waitFor()
    await openTab(page, 'Bench')
    await giveBack.bench()
    await note.getByRole('button', { name: 'Try again' }).click()

    await page.getByRole('combobox', { name: 'Tool' }).waitFor()
  })

  test('an editor that cannot be loaded is a plain field, which does the same', async () => {
    await openTool(page, 'echo')
    await page.getByText('JSON', { exact: true }).first().click()
    const field = page.locator('textarea.json-editor-plain')
    await field.fill('{"message": "by hand"}')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Echo: by hand').first().waitFor()
    await giveBack.editor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.cm-content').waitFor()

    expect(await page.locator('.cm-content').textContent()).toContain('by hand')
  })

  test('values of a template stay when another tab is opened', async () => {
    await openTab(page, 'Resources')
    await pick(page, 'resources', 'Dynamic Text Resource')
    await page.getByLabel('resourceId').first().fill('42')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Read', exact: true }).first().click()
    await page.getByText(/read in/).waitFor()

    await openTab(page, 'Logs')
    await openTab(page, 'Resources')

    await page.getByText(/read in/).waitFor()
    expect(await page.getByLabel('resourceId').first().inputValue()).toBe('42')
  })

  test('the list of keys has those of the trace, and each does what it says', async () => {
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list
      .getByRole('region', { name: 'In the trace' })
      .getByText('[', { exact: true })
      .waitFor()
    for (const title of ['Everywhere', 'In lists', 'Tabs']) {
      await list.getByRole('region', { name: title }).waitFor()
    }
    await page.keyboard.press('Escape')

    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.getByRole('tab', { name: /^Tools/, selected: true }).waitFor()
    await page.keyboard.press('t')
    await expect.poll(() => page.getByRole('grid', { name: 'Rows of the trace' }).count()).toBe(0)
    await page.keyboard.press('t')
    const rows = page.getByRole('grid', { name: 'Rows of the trace' })
    await rows.waitFor()
    await page.keyboard.press(']')
    await expect.poll(() => rows.locator('[aria-selected=true]').count()).toBe(1)
    await page.keyboard.press('j')
    await page.getByRole('option', { selected: true }).waitFor()
  })
})
