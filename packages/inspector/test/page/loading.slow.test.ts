import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'

import { canOpen, everythingEntry, inspectorForAll, openTab, pick } from './open-inspector.ts'

/** Answers nothing for scripts of this name, as an inspector that was stopped. */
async function withhold(page: Page, name: string): Promise<() => Promise<void>> {
  const pattern = `**/${name}-*.js`
  await page.route(pattern, (route) => route.abort())
  return () => page.unroute(pattern)
}

describe.skipIf(!canOpen)('parts of the page', { timeout: 180_000 }, () => {
  const inspector = inspectorForAll({
    servers: [{ name: 'everything', entry: everythingEntry, connect: true }],
  })

  async function openWithout(name: string) {
    const page = await inspector.newPageAt('about:blank')
    const giveBack = await withhold(page, name)
    await page.goto(inspector.createUrl())
    await page.getByRole('tablist', { name: /^Parts of/ }).waitFor()
    return { page, giveBack }
  }

  test('that are not shown are not waited for', async () => {
    const page = await inspector.newPageAt('about:blank')
    await page.route('**/code-editor-*.js', () => {}) // never answered

    const answer = await page.goto(inspector.createUrl())
    await page.getByRole('region', { name: 'What we requested' }).waitFor()
    await openTab(page, 'Bench')
    await page.getByRole('combobox', { name: 'Tool' }).waitFor()

    const document = await answer?.text()
    expect(document).toContain('<script type="module"')
    expect(document).not.toMatch(/code-editor|bench-panel|collections-panel|auth-panel/)
    await page.context().close()
  })

  test('that cannot be loaded say so, and can be tried again', async () => {
    const { page, giveBack } = await openWithout('bench-panel')

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
    await giveBack()
    await note.getByRole('button', { name: 'Try again' }).click()

    await page.getByRole('combobox', { name: 'Tool' }).waitFor()
    await page.context().close()
  })

  test('an editor that cannot be loaded is a plain field, which does the same', async () => {
    const { page, giveBack } = await openWithout('code-editor')

    await openTab(page, 'Tools')
    await pick(page, 'tools', 'echo')
    await page.getByText('JSON', { exact: true }).first().click()
    const field = page.locator('textarea.json-editor-plain')
    await field.fill('{"message": "by hand"}')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Echo: by hand').first().waitFor()
    await giveBack()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.cm-content').waitFor()

    expect(await page.locator('.cm-content').textContent()).toContain('by hand')
    await page.context().close()
  })

  test('values of a template stay when another tab is opened', async () => {
    const page = await inspector.newPage()
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
    await page.context().close()
  })

  test('the list of keys has those of the trace, and each does what it says', async () => {
    const page = await inspector.newPage()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keys' })
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
    await page.context().close()
  })
})
