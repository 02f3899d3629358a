import { describe, expect, test } from 'vitest'

import { walkThrough } from '../../../../test-support/page-walk.ts'
import { canOpen, everythingEntry, openInspector, openTab } from './open-inspector.ts'

const tabs = [
  'Resources',
  'Prompts',
  'Requests',
  'Tasks',
  'Logs',
  'Overview',
  'Auth',
  'Bench',
  'Collections',
]

describe.skipIf(!canOpen)('every view of the Inspector', () => {
  test('only panes scroll, no text is tiny or cut, and nothing keeps people out, light or dark', async () => {
    await using inspector = await openInspector({
      servers: [{ name: 'everything', entry: everythingEntry, connect: true }],
    })
    const page = await inspector.newPage({ width: 1440, height: 900, trace: true })
    const walk = walkThrough(page, 'inspector')
    const { keyboard } = page

    // It opens on the form of the first tool, and calls nothing wrong.
    const run = page.getByRole('button', { name: 'Run', exact: true })
    await run.waitFor()
    expect(await page.locator('#workspace .field-error').count()).toBe(0)
    await walk.look('tools')
    await page.getByRole('option', { name: /(?:^|\s)echo/ }).click()
    await page.getByRole('heading', { name: 'echo' }).waitFor()
    await page.getByRole('textbox', { name: /^message/i }).fill('hello')
    await keyboard.press('Control+Enter')
    await page.getByText('Echo: hello').waitFor()
    await page.getByRole('grid', { name: 'Rows of the trace' }).waitFor()
    await walk.look('tools-ran', 'large')
    await page
      .getByRole('option', { name: /trigger-elicitation-request(?!-)/ })
      .first()
      .click()
    await run.click()
    await page.getByRole('button', { name: 'Send answer' }).waitFor()
    await walk.look('question', 'large')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    for (const tab of tabs) {
      await openTab(page, tab)
      await page.getByRole('tab', { name: new RegExp(`^${tab}`), selected: true }).waitFor()
      if (tab === 'Overview')
        await page.getByRole('region', { name: 'Server capabilities' }).waitFor()
      const entry = page.getByRole('listbox').getByRole('option').nth(3)
      if (await entry.isVisible()) await entry.click()
      await walk.look(tab.toLowerCase(), 'large')
    }
    await openTab(page, 'Tools')
    await keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Palette' })
    const top = (await palette.boundingBox())?.y
    await page.getByRole('combobox', { name: 'Search everything' }).fill('image tiny')
    await page
      .getByRole('option', { name: /get-tiny-image/ })
      .first()
      .waitFor()
    expect((await palette.boundingBox())?.y).toBe(top)
    await walk.look('palette', 'large')
    await keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
    await keyboard.press('?')
    const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await shortcuts.waitFor()
    await walk.look('shortcuts', 'large')
    await keyboard.press('Escape')
    await shortcuts.waitFor({ state: 'detached' })
    await keyboard.press('Control+,')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await walk.look('settings', 'large')
    await keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add a server', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await walk.look('add-server', 'large')
    expect(inspector.complaints).toEqual([])
  })
})
