import { describe, expect, test } from 'vitest'

import { walkThrough } from '../../../../test-support/page-walk.ts'
import { open } from '../gateway/running.ts'
import { canOpen, openBrowser, show, viewNames } from './open-page.ts'
import { hiding, startPage, wholeConfig } from './running-page.ts'

describe.skipIf(!canOpen)('every view of the gateway', () => {
  test('only panes scroll, no text is tiny or cut, nothing keeps people out, one heading, one unit of load', async () => {
    await using running = await startPage(wholeConfig, { servers: { HIDDEN: hiding() } })
    const made = await running.config().operated.keys?.createKey({ name: 'ada' })
    await using client = await open(running.gateway, {
      protocolVersion: 'legacy',
      headers: { authorization: `Bearer ${made?.key}` },
    })
    await client.listTools().toArray()
    await client.callTool('notes__read')
    await using browser = await openBrowser()
    const page = await browser.newPage(running)
    const walk = walkThrough(page, 'gateway')
    await client.callTool('notes__read')
    for (const path of ['/a', '/b']) await client.callTool('notes__write', { path })

    for (const name of viewNames) {
      await show(page, name)
      await page.getByRole('heading', { level: 1, name }).waitFor()
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      await walk.look(name.toLowerCase().replaceAll(' ', '-'), 'large and small')
    }
    await show(page, 'Overview')
    expect(await page.getByRole('main').textContent()).not.toMatch(/\d\/s/)
    await page.getByRole('img', { name: /^Calls of the last 15 minutes: [1-9]/ }).waitFor()
    await page.getByRole('radiogroup', { name: 'Time' }).getByText('24 h').click()
    await page.getByRole('img', { name: /^Calls of the last 24 hours: [1-9]/ }).waitFor()
    await page.getByRole('button', { name: 'Connect a client' }).click()
    await page.getByText(/^claude mcp add --transport http gateway/).waitFor()
    await walk.look('connect')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await show(page, 'Servers')
    await page.getByRole('button', { name: 'notes' }).first().click()
    await page.getByText('notes__read').waitFor()
    const offers = page.getByRole('region', { name: 'Offers of the server' })
    expect(await offers.getByRole('rowheader').allTextContents()).toEqual([
      'notes__write', // the most called first
      'notes__read',
      'notes__fail',
      'notes__wait',
    ])
    await walk.look('server')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('notes')
    await walk.look('palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+,')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await walk.look('settings')
    expect(browser.complaints).toEqual([])
  })
})
